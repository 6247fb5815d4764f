"""The settings as command-line flags, the same for every command that takes them."""

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec.inspect

import photic.settings
from photic.settings_loader import load_settings, setting_types, setting_value
from photic.strict_struct import show_value

__all__ = ["FLAGS", "setting_flags", "setting_help"]

F = TypeVar("F", bound=Callable[..., Any])

FLAGS: Final[dict[str, str]] = {
    "server.host": "--host",
    "server.port": "--port",
    "server.drain_grace_ms": "--drain-grace-ms",
    "cpu.cpus": "--cpus",
    "models.repository": "--model-repository",
    "models.default": "--default-model",
    "models.embedded": "--embedded",
    "models.top_k": "--top-k",
    "decode.formats": "--formats",
    "admission.max_in_flight": "--max-in-flight",
    "admission.deadline_ms": "--deadline-ms",
    "body.max_bytes": "--max-body-bytes",
    "batching.preferred_batch": "--preferred-batch",
    "batching.max_queue_delay_ms": "--max-queue-delay-ms",
    "logging.level": "--log-level",
}
"""Settings with a flag of their own, and its spelling; ``--set`` reaches all others."""


def setting_flags(*names: str) -> Callable[[F], F]:
    """Give a command ``--config``, ``--set`` and the flags of some settings.

    The command is called with ``loaded``, a LoadedSettings, in their place.

    Args:
        names: Keys of FLAGS.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def with_settings(**parameters: Any) -> Any:
            flags = {name: parameters.pop(_parameter(name)) for name in names}
            assigned = dict(parameters.pop("assignments"))
            spelled = {name: FLAGS[name] for name in names if flags[name] is not None}
            loaded = load_settings(
                config=parameters.pop("config"),
                flags={**assigned, **{name: flags[name] for name in spelled}},
                flag_names={**dict.fromkeys(assigned, "--set"), **spelled},
            )
            return command(loaded=loaded, **parameters)

        decorated: Any = with_settings
        for option in reversed(list(_options(names))):
            decorated = option(decorated)
        # type: ignore: click's options are typed as taking and giving anything.
        return decorated  # type: ignore[no-any-return]

    return decorate


def _options(names: tuple[str, ...]) -> Iterator[Callable[[Any], Any]]:
    texts, types, defaults = setting_help(), setting_types(), photic.settings.Settings()
    for name in names:
        default = _as_typed(setting_value(defaults, name))
        # Not click's own types: the loader converts and explains all sources alike.
        yield click.option(
            FLAGS[name],
            _parameter(name),
            metavar=_metavar(types[name]),
            help=f"{texts[name]}  [default: {default}]",
        )
    yield click.option(
        "--set",
        "assignments",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_split_assignments,
        help="Any setting of `photic config`, such as decode.max_pixels=12000000; repeatable.",
    )
    yield click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Settings file.  [default: $PHOTIC_CONFIG, else ./photic.toml when it is there]",
    )


def _metavar(annotation: Any) -> str:
    match msgspec.inspect.type_info(annotation):
        case msgspec.inspect.LiteralType(values=values):
            return "|".join(map(str, values))
        case msgspec.inspect.VarTupleType():
            return "A,B,…"
        case msgspec.inspect.BoolType():
            return "true|false"
        case msgspec.inspect.StrType():
            return "TEXT"
    return "NUMBER"


def _as_typed(value: object) -> str:
    """A value as one would type it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return value or "none" if isinstance(value, str) else show_value(value)


def _parameter(name: str) -> str:
    return name.replace(".", "_")


def _split_assignments(
    _context: click.Context, _option: click.Parameter, assignments: tuple[str, ...]
) -> list[tuple[str, str]]:
    pairs = [assignment.partition("=") for assignment in assignments]
    for name, equals, _ in pairs:
        if not equals:
            raise click.BadParameter(f"{name!r} lacks a '='; write --set {name}=VALUE")
    return [(name, value) for name, _, value in pairs]


def setting_help() -> dict[str, str]:
    """What ``settings.py`` says about each setting, by name.

    The text under each field is its only description, and Python drops it when it compiles; so it
    is read from the source.
    """
    classes = {
        node.name: _field_texts(node)
        for node in ast.parse(inspect.getsource(photic.settings)).body
        if isinstance(node, ast.ClassDef)
    }
    sections = {
        field: type(getattr(photic.settings.Settings(), field)).__name__
        for field in photic.settings.Settings.__struct_fields__
    }
    return {
        name: classes[sections[name.split(".")[0]]][name.split(".")[1]] for name in setting_types()
    }


def _field_texts(section: ast.ClassDef) -> dict[str, str]:
    texts: dict[str, str] = {}
    for field, text in zip(section.body, section.body[1:], strict=False):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                texts[name] = words.replace("``", "`")
    return texts
