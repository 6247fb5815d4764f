"""Values from TOML, the environment or flags to frozen structs; each mistake is one clear line.

msgspec checks the types. Its messages name JSON paths and Python types; these name the field, the
value and what would be right, and suggest the name that was probably meant.
"""

import json
import math
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, inspect

__all__ = ["build_struct", "convert_value", "did_you_mean", "show_value"]

S = TypeVar("S", bound=Struct)
_SHOWN_CHARACTERS = 80


def build_struct(struct: type[S], data: Mapping[str, Any], section: str = "") -> S:
    """A mapping to a struct, nested structs included.

    Args:
        struct: The type to build; every field of it has a type that msgspec knows.
        data: Field names and values, as ``tomllib`` gives them.
        section: What to call this level in messages, such as ``input``; empty at the top.

    Raises:
        ValueError: A name is unknown or missing, or a value does not fit; one line.
    """
    place = f"[{section}] " if section else ""
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    for name in data:
        if name not in fields:
            raise ValueError(f"{place}has no field `{name}`; {did_you_mean(name, fields)}".lstrip())
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in data:
            values[name] = _build_value(data[name], field.type, name, place)
        elif field.required:
            raise ValueError(f"{place}lacks `{name}`")
    return struct(**values)


def _build_value(value: object, annotation: Any, name: str, place: str) -> object:
    nested = isinstance(annotation, type) and issubclass(annotation, Struct)
    if nested and isinstance(value, Mapping):
        return build_struct(annotation, value, name)
    try:
        return convert_value(value, annotation)
    except ValueError as error:
        raise ValueError(f"{place}{name} = {show_value(value)} {error}") from None


def convert_value(value: object, annotation: Any, *, from_text: bool = False) -> object:
    """One value to the type of its field.

    Args:
        value: As it was given.
        annotation: The field's type.
        from_text: Whether a string may stand for a number, a bool (true, false, 1, 0) or, with
            commas, a list.

    Raises:
        ValueError: "must be …", to follow the field's name and value.
    """
    info = inspect.type_info(annotation)
    given = value
    if from_text and isinstance(value, str) and isinstance(info, inspect.VarTupleType):
        given = [part.strip() for part in value.split(",") if part.strip()]
    try:
        converted = msgspec.convert(given, annotation, strict=not (from_text and _is_text(given)))
    except msgspec.ValidationError:
        raise ValueError(f"must be {_describe(info)}{_suggestion(given, info)}") from None
    if not _is_finite(converted):
        raise ValueError(f"must be {_describe(info)}, and finite")
    return converted


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The known name closest to a wrong one, as the end of a message; else all known names."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1)
    return f"did you mean `{close[0]}`?" if close else f"known: {', '.join(names)}"


def show_value(value: object) -> str:
    """A value as a TOML file would write it, cut at 80 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    items = value.values() if isinstance(value, dict) else value
    return not isinstance(items, Iterable) or isinstance(items, str) or all(map(_is_finite, items))


def _suggestion(value: object, info: inspect.Type) -> str:
    """The choice that was probably meant, for a literal or a list of literals."""
    if isinstance(info, inspect.VarTupleType) and isinstance(value, list):
        return next(filter(None, (_suggestion(item, info.item_type) for item in value)), "")
    if not isinstance(info, inspect.LiteralType) or value in info.values:
        return ""
    close = get_close_matches(str(value), [str(choice) for choice in info.values], n=1)
    return f"; did you mean {show_value(close[0])}?" if close else ""


def _describe(info: inspect.Type) -> str:
    """What a type accepts, in words."""
    match info:
        case inspect.UnionType(types=types):
            text = _describe(next(t for t in types if not isinstance(t, inspect.NoneType)))
        case inspect.IntType() | inspect.FloatType():
            kind = "an integer" if isinstance(info, inspect.IntType) else "a number"
            text = f"{kind}{_describe_range(info)}"
        case inspect.LiteralType(values=values):
            text = f"one of {', '.join(show_value(choice) for choice in values)}"
        case inspect.TupleType(item_types=items):
            text = f"a list of {len(items)}, each {_describe(items[0])}"
        case inspect.VarTupleType(item_type=item):
            text = f"a list, each {_describe(item)}"
        case inspect.DictType(value_type=item):
            text = f"a table, each value {_describe(item)}"
        case _:
            text = _PLAIN[type(info)]
    return text


_PLAIN: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.StrType: "text",
    inspect.StructType: "a table",
}


def _describe_range(info: inspect.IntType | inspect.FloatType) -> str:
    if info.gt is not None:
        return f" above {info.gt:g}" + (f", at most {info.le:g}" if info.le is not None else "")
    if info.ge is not None:
        return f" from {info.ge} to {info.le}" if info.le is not None else f", at least {info.ge}"
    return ""
