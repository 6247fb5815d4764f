"""Each mistake is one line that names the field, the value and what would be right."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from photic.strict_struct import build_struct, convert_value, did_you_mean, show_value


class Inner(Struct, frozen=True, kw_only=True):
    side: Annotated[int, Meta(ge=1, le=10)]
    mode: Literal["fast", "exact"] = "fast"
    mean: tuple[float, float] = (0.0, 0.0)


class Outer(Struct, frozen=True, kw_only=True):
    name: str = ""
    inner: Inner
    gate: dict[str, float] = {}


def test_builds_nested_structs() -> None:
    data = {"name": "a", "inner": {"side": 3, "mean": [1, 2.5]}, "gate": {"top1": 1}}
    assert build_struct(Outer, data) == Outer(
        name="a", inner=Inner(side=3, mean=(1.0, 2.5)), gate={"top1": 1.0}
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "lacks `inner`"),
        ({"iner": {}}, "has no field `iner`; did you mean `inner`?"),
        ({"xyz": 1}, "has no field `xyz`; known: gate, inner, name"),
        ({"inner": 3}, "inner = 3 must be a table"),
        ({"inner": {}}, "[inner] lacks `side`"),
        ({"inner": {"side": 11}}, "[inner] side = 11 must be an integer from 1 to 10"),
        ({"inner": {"side": "3"}}, '[inner] side = "3" must be an integer from 1 to 10'),
        ({"inner": {"side": True}}, "[inner] side = true must be an integer from 1 to 10"),
        (
            {"inner": {"side": 1, "mode": "fsat"}},
            '[inner] mode = "fsat" must be one of "exact", "fast"; did you mean "fast"?',
        ),
        (
            {"inner": {"side": 1, "mean": [1, 2, 3]}},
            "[inner] mean = [1, 2, 3] must be a list of 2, each a number",
        ),
        (
            {"inner": {"side": 1, "mean": [1, float("inf")]}},
            "[inner] mean = [1, Infinity] must be a list of 2, each a number, and finite",
        ),
        ({"inner": {"side": 1}, "name": 3}, "name = 3 must be text"),
        (
            {"inner": {"side": 1}, "gate": {"top1": "x"}},
            'gate = {"top1": "x"} must be a table, each value a number',
        ),
    ],
)
def test_names_the_mistake(data: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        build_struct(Outer, data)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("12", int, 12),
        ("1.5", float, 1.5),
        ("true", bool, True),
        ("0", bool, False),
        ("12", str, "12"),
        ("a, b", tuple[str, ...], ("a", "b")),
        ("", tuple[str, ...], ()),
    ],
)
def test_text_stands_for_a_value_only_when_asked(
    text: str, annotation: object, value: object
) -> None:
    assert convert_value(text, annotation, from_text=True) == value
    if not isinstance(value, str):
        with pytest.raises(ValueError, match="must be "):
            convert_value(text, annotation)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Annotated[int, Meta(ge=1)], "must be an integer, at least 1"),
        (Annotated[float, Meta(gt=0, le=1)], "must be a number above 0, at most 1"),
        (bool, "must be true or false"),
        (int | None, "must be an integer"),
    ],
)
def test_describes_what_would_be_right(annotation: object, message: str) -> None:
    with pytest.raises(ValueError, match="must") as caught:
        convert_value("nonsense", annotation, from_text=True)
    assert str(caught.value) == message


def test_suggests_the_wrong_item_of_a_list() -> None:
    with pytest.raises(ValueError, match='did you mean "webp"'):
        convert_value("png,wepb", tuple[Literal["png", "webp"], ...], from_text=True)


def test_suggestions_and_shown_values() -> None:
    assert did_you_mean("prot", ["port", "host"]) == "did you mean `port`?"
    assert did_you_mean("qqqq", ["port", "host"]) == "known: host, port"
    assert show_value("a" * 200) == '"' + "a" * 79 + "…"
