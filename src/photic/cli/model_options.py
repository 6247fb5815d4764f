"""The options of the commands that load one model."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from photic.cli.setting_flags import setting_flags
from photic.errors import ModelFileError
from photic.models.repository import ModelRepository, embedded_repository
from photic.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from photic.predictor import Predictor

__all__ = ["choose_model", "load_predictor", "model_options"]

F = TypeVar("F", bound=Callable[..., Any])

MODEL_FILE_SUFFIX: Final = ".onnx"


def model_options(*names: str) -> Callable[[F], F]:
    """``--model``, ``--recipe``, ``--labels``, ``--model-repository`` and some settings' flags."""

    def decorate(command: F) -> F:
        decorated: Any = setting_flags("models.repository", *names)(command)
        for option in reversed(_OPTIONS):
            decorated = option(decorated)
        # type: ignore: click's options are typed as taking and giving anything.
        return decorated  # type: ignore[no-any-return]

    return decorate


_OPTIONS: Final = (
    click.option(
        "--model",
        metavar="NAME|FILE",
        help="A model of the repository, or an ONNX file.  "
        "[default: models.default, else the repository's only model; the embedded one without a "
        "repository]",
    ),
    click.option(
        "--recipe",
        metavar="PRESET|FILE",
        help="For an ONNX file: a preset such as imagenet, or a model.toml.",
    ),
    click.option(
        "--labels",
        metavar="NAME|FILE",
        help="For an ONNX file: imagenet-1k, or a file with a label a line.  "
        "[default: those of the model.toml]",
    ),
)


def load_predictor(
    settings: Settings, model: str | None, recipe: str | None, labels: str | None
) -> "Predictor":
    """Load the model that the options mean.

    Raises:
        ConfigurationError: It cannot be loaded, or the options contradict each other.
    """
    from photic.predictor import Predictor

    wanted = model or settings.models.default
    if wanted.endswith(MODEL_FILE_SUFFIX):
        return Predictor(Path(wanted), recipe=recipe, labels=labels, settings=settings)
    for option, value in (("--recipe", recipe), ("--labels", labels)):
        if value is not None:
            raise ModelFileError(
                f"{option} {value} needs --model FILE.onnx; a model of a repository has its own"
            )
    repository, name = choose_model(settings.models, wanted)
    return Predictor(name, repository=repository.root, settings=settings)


def choose_model(settings: ModelSettings, wanted: str) -> tuple[ModelRepository, str]:
    """The repository and the name of the model to load; the user's models come first.

    Args:
        settings: Which repositories there are.
        wanted: A name, or empty for the default.

    Raises:
        ModelFileError: There is no such model, or no default among several.
    """
    embedded = embedded_repository()
    if not settings.repository:
        return embedded, wanted or embedded.names()[0]
    own = ModelRepository.open(Path(settings.repository))
    if wanted:
        use_embedded = settings.embedded and wanted not in own.names()
        return (embedded if use_embedded and wanted in embedded.names() else own), wanted
    if len(own.names()) > 1:
        raise ModelFileError(
            f"{own.root}: there are several models, {', '.join(own.names())}; choose one with "
            "--model"
        )
    return own, own.names()[0]
