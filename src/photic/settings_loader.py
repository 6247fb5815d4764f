"""Flags, environment, ``photic.toml`` and defaults to Settings. The sole reader of the environment.

Precedence: flags, then ``PHOTIC_<SECTION>_<FIELD>``, then the TOML file, then the defaults.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from photic.errors import SettingsError
from photic.settings import Settings
from photic.strict_struct import convert_value, did_you_mean, show_value

__all__ = [
    "LoadedSettings",
    "forbid_telemetry",
    "forbid_thread_pools",
    "load_settings",
    "setting_types",
    "setting_value",
]

_PREFIX: Final = "PHOTIC_"
_CONFIG_VARIABLE: Final = "PHOTIC_CONFIG"
_DEFAULT_FILE: Final = Path("photic.toml")
# Kubernetes and Docker describe a service called `photic…` to every container with such variables.
_SERVICE_LINK: Final = re.compile(r"_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)")
_SERVICE_ADDRESS: Final = re.compile(r"(tcp|udp|sctp)://")
_OPENBLAS_THREADS: Final = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
"""Where OpenBLAS looks for the size of its pool, in this order."""
_ORDERED: Final = (
    ("admission.deadline_ms", "admission.max_deadline_ms"),
    ("body.max_bytes", "admission.max_in_flight_bytes"),
    ("decode.max_memory_bytes", "decode.max_total_memory_bytes"),
)
"""Pairs of settings of which the first may not exceed the second."""


class LoadedSettings(Struct, frozen=True):
    """The effective settings and where each came from.

    Attributes:
        settings: All sections.
        origins: ``"server.port"`` to ``"default"``, a TOML file, a variable, or a flag.
    """

    settings: Settings
    origins: dict[str, str]


class _Given(Struct, frozen=True):
    """A value from outside, before its check."""

    name: str
    value: object
    origin: str
    from_text: bool


def load_settings(
    *,
    config: Path | None = None,
    flags: Mapping[str, object] | None = None,
    flag_names: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> LoadedSettings:
    """Collect and check all settings.

    Args:
        config: The TOML file; None takes that of ``PHOTIC_CONFIG``, else ``./photic.toml`` when it
            is there.
        flags: Setting names, such as ``server.port``, with values or text; None means not given.
        flag_names: How a flag is spelled when that is not ``--`` and the field's name.
        environment: Variables in place of the process's own.

    Raises:
        SettingsError: A file, name or value is wrong; one line that names the setting, the value,
            what is allowed and where it came from.
    """
    variables = os.environ if environment is None else environment
    types = setting_types()
    sources = (
        *_from_file(_find_file(config, variables), types),
        *_from_environment(variables, types),
        *_from_flags(flags or {}, flag_names or {}, types),
    )
    values: dict[str, dict[str, object]] = {name: {} for name in Settings.__struct_fields__}
    origins = dict.fromkeys(types, "default")
    for given in sources:
        section, field = given.name.split(".")
        values[section][field] = _checked(given, types[given.name])
        origins[given.name] = given.origin
    loaded = LoadedSettings(_build(values), origins)
    _check_order(loaded)
    return loaded


def setting_types() -> dict[str, Any]:
    """All settings, as ``section.field``, with their types."""
    return {
        f"{section.name}.{field.name}": field.type
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
    }


def setting_value(settings: Settings, name: str) -> Any:
    """The value of ``section.field``."""
    section, field = name.split(".")
    return getattr(getattr(settings, section), field)


def _build(values: Mapping[str, Mapping[str, object]]) -> Settings:
    sections = {
        section.name: section.type(**values[section.name])
        for section in msgspec.structs.fields(Settings)
    }
    return Settings(**sections)


def _checked(given: _Given, annotation: Any) -> object:
    try:
        return convert_value(given.value, annotation, from_text=given.from_text)
    except ValueError as error:
        raise SettingsError(
            f"{given.name} = {show_value(given.value)} (from {given.origin}) {error}"
        ) from None


def _check_order(loaded: LoadedSettings) -> None:
    for low, high in _ORDERED:
        low_value, high_value = (setting_value(loaded.settings, name) for name in (low, high))
        if low_value > high_value:
            raise SettingsError(
                f"{low} = {low_value} (from {loaded.origins[low]}) may not exceed "
                f"{high} = {high_value} (from {loaded.origins[high]})"
            )


def _find_file(config: Path | None, variables: Mapping[str, str]) -> Path | None:
    if config is not None:
        return config
    if variables.get(_CONFIG_VARIABLE):
        return Path(variables[_CONFIG_VARIABLE])
    return _DEFAULT_FILE if _DEFAULT_FILE.exists() else None


def _from_file(path: Path | None, types: Mapping[str, Any]) -> Iterator[_Given]:
    if path is None:
        return
    for section, fields in _read_toml(path).items():
        if section not in Settings.__struct_fields__:
            known = did_you_mean(section, Settings.__struct_fields__)
            raise SettingsError(f"{path}: there is no section [{section}]; {known}")
        if not isinstance(fields, dict):
            raise SettingsError(
                f"{path}: {section} = {show_value(fields)} must be a table, [{section}]"
            )
        for field, value in fields.items():
            name = f"{section}.{field}"
            if name not in types:
                known = did_you_mean(field, _fields_of(section, types))
                raise SettingsError(f"{path}: [{section}] has no setting `{field}`; {known}")
            yield _Given(name, value, str(path), from_text=False)


def _fields_of(section: str, types: Mapping[str, Any]) -> list[str]:
    return [name.split(".")[1] for name in types if name.startswith(f"{section}.")]


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot read the settings: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not UTF-8 at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None


def _from_environment(variables: Mapping[str, str], types: Mapping[str, Any]) -> Iterator[_Given]:
    names = {_PREFIX + name.replace(".", "_").upper(): name for name in types}
    for variable, value in sorted(variables.items()):
        if not variable.startswith(_PREFIX) or variable == _CONFIG_VARIABLE:
            continue
        if _is_service_link(variable, value):
            continue
        if variable not in names:
            raise SettingsError(
                f"the environment variable {variable} names no setting; "
                f"{did_you_mean(variable, names)}"
            )
        yield _Given(names[variable], value, variable, from_text=True)


def _is_service_link(variable: str, value: str) -> bool:
    if _SERVICE_LINK.search(variable):
        return True
    return variable.endswith("_PORT") and _SERVICE_ADDRESS.match(value) is not None


def _from_flags(
    flags: Mapping[str, object], flag_names: Mapping[str, str], types: Mapping[str, Any]
) -> Iterator[_Given]:
    for name, value in flags.items():
        if value is None:
            continue
        if name not in types:
            raise SettingsError(f"there is no setting `{name}`; {did_you_mean(name, types)}")
        spelling = flag_names.get(name, f"--{name.split('.')[1].replace('_', '-')}")
        yield _Given(name, value, spelling, from_text=True)


def forbid_telemetry() -> None:
    """Keep ONNX Runtime from sending usage data; for the time before it is imported.

    Since 1.29 its wheels for Linux send the model's name and hashes to their maker, from threads
    of their own, unless a variable says not to. The user's own value wins.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def forbid_thread_pools() -> None:
    """Keep OpenBLAS from starting a thread for each CPU of the host when NumPy is imported.

    Photic multiplies no matrices with NumPy. The user's own value wins.
    """
    if not any(name in os.environ for name in _OPENBLAS_THREADS):
        os.environ[_OPENBLAS_THREADS[0]] = "1"
