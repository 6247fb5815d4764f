"""``photic models``: the models, their versions and inputs."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec
from msgspec import UNSET, Struct, UnsetType

from photic.cli.output import on_terminal, write
from photic.cli.setting_flags import setting_flags
from photic.errors import ModelFileError
from photic.models.bundle import ModelBundle
from photic.models.repository import ModelRepository, embedded_repository
from photic.settings import ModelSettings

if TYPE_CHECKING:
    from photic.settings_loader import LoadedSettings

__all__ = ["models"]

_COLUMNS: Final = ("Model", "Versions", "Task", "Input", "Labels", "Location", "Problem")


class ModelInfo(Struct, frozen=True, kw_only=True):
    """One model, as it is listed."""

    name: str
    versions: tuple[int, ...]
    location: str
    task: str | UnsetType = UNSET
    input: str
    labels: int | UnsetType = UNSET
    """How many; unset for a task that has none."""
    problem: str | UnsetType = UNSET
    """Why it cannot be served."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write one JSON array.")
@setting_flags("models.repository", "models.embedded")
def models(as_json: bool, loaded: "LoadedSettings") -> None:
    """List the models, their versions and inputs.

    Those of --model-repository come first, then the embedded one. A model without a model.toml is
    listed with the inputs of its file; it needs a model.toml to be served.
    """
    found = [
        _describe(repository, name, embedded=embedded)
        for repository, embedded in _repositories(loaded.settings.models)
        for name in repository.names()
    ]
    if as_json:
        write(msgspec.json.encode(found))
    else:
        _print(found)


def _repositories(settings: ModelSettings) -> Iterator[tuple[ModelRepository, bool]]:
    if settings.repository:
        yield ModelRepository.open(Path(settings.repository)), False
    if settings.embedded or not settings.repository:
        yield embedded_repository(), True


def _describe(repository: ModelRepository, name: str, *, embedded: bool) -> ModelInfo:
    versions = repository.versions(name)
    location = "embedded" if embedded else str(repository.root / name)
    try:
        bundle = repository.bundle(name)
    except ModelFileError as error:
        path = repository.model_path(name, versions[-1])
        return ModelInfo(
            name=name,
            versions=versions,
            location=location,
            input=_declared_inputs(path),
            problem=str(error),
        )
    return ModelInfo(
        name=name,
        versions=versions,
        location=location,
        task=bundle.recipe.task,
        input=_recipe_input(bundle),
        labels=len(bundle.labels) or UNSET,
    )


def _recipe_input(bundle: ModelBundle) -> str:
    recipe = bundle.recipe.input
    height, width = recipe.size
    return f"{height} x {width} {recipe.channels} {recipe.layout}"


def _declared_inputs(path: Path) -> str:
    """The inputs that the file itself declares."""
    from photic.inference.session import load_description

    try:
        session = load_description(path)
    except ModelFileError:
        return "?"
    return ", ".join(
        f"{one.name} [{', '.join(map(str, one.shape))}] {one.type}" for one in session.get_inputs()
    )


def _print(found: list[ModelInfo]) -> None:
    from photic.cli.tables import plain, print_table

    rows = [
        (
            info.name,
            ", ".join(map(str, info.versions)),
            _shown(info.task),
            info.input,
            _shown(info.labels),
            info.location,
            _shown(info.problem),
        )
        for info in found
    ]
    # A problem is a sentence, too long for a column of a terminal.
    columns = _COLUMNS[:-1] if on_terminal() else _COLUMNS
    print_table(columns, [row[: len(columns)] for row in rows])
    if on_terminal():
        for info in found:
            if info.problem is not UNSET:
                write(f"\nnot served: {plain(info.problem)}")


def _shown(value: str | int | UnsetType) -> str:
    return "-" if value is UNSET else str(value)
