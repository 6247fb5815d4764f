"""``/v1/models``: what is served."""

from typing import TYPE_CHECKING, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import Struct

from photic.models.recipe import InputRecipe, Provenance
from photic.serving.service import InferenceService

if TYPE_CHECKING:
    from photic.serving.engine import Engine

__all__ = ["Model", "ModelList", "ModelVersion", "models_routes"]


class ModelVersion(Struct, frozen=True, kw_only=True):
    """One version of a model."""

    version: int
    variant: str
    task: Literal["classification", "embedding"]
    labels: int
    input: InputRecipe
    provenance: Provenance


class Model(Struct, frozen=True, kw_only=True):
    """One model: requests that name no version get ``version``, the highest."""

    name: str
    version: int
    versions: tuple[ModelVersion, ...]


class ModelList(Struct, frozen=True, kw_only=True):
    """All models; ``default`` answers ``/v1/predict``."""

    default: str
    models: tuple[Model, ...]


def models_routes(service: InferenceService) -> list[HTTPRouteHandler]:
    """The list of all models, and one model."""

    @get("/v1/models", sync_to_thread=False)
    def list_models() -> ModelList:
        names = sorted({engine.bundle.name for engine in service.engines()})
        return ModelList(
            default=service.default, models=tuple(_model(service, name) for name in names)
        )

    @get("/v1/models/{model:str}", sync_to_thread=False)
    def show_model(model: FromPath[str]) -> Model:
        return _model(service, model)

    return [list_models, show_model]


def _model(service: InferenceService, name: str) -> Model:
    """Describe a model by its name; ModelNotFound lists the names."""
    highest = service.engine(name).bundle.version
    versions = [_version(engine) for engine in service.engines() if engine.bundle.name == name]
    versions.sort(key=lambda version: version.version)
    return Model(name=name, version=highest, versions=tuple(versions))


def _version(engine: "Engine") -> ModelVersion:
    bundle = engine.bundle
    return ModelVersion(
        version=bundle.version,
        variant=bundle.variant,
        task=bundle.recipe.task,
        labels=len(bundle.labels),
        input=bundle.recipe.input,
        provenance=bundle.recipe.provenance,
    )
