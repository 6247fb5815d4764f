"""``/v1/stats``: what the server has done so far."""

from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from photic.serving.service import InferenceService

if TYPE_CHECKING:
    from photic.serving.engine import Engine

__all__ = ["ModelStats", "Stats", "stats_routes"]


class ModelStats(Struct, frozen=True, kw_only=True):
    """What one version of a model has done since the start."""

    name: str
    version: int
    variant: str
    preferred_batch: int
    """No batch is larger."""
    batch_sizes: dict[int, int]
    """How many batches of each size were inferred; sizes that did not occur are left out."""
    alone: int
    """Batches of one among them that had all cores (the latency session)."""
    expired: int
    """Images dropped because their deadline had passed."""
    abandoned: int
    """Images dropped because their client had left."""


class Stats(Struct, frozen=True, kw_only=True):
    """What all models have done, and what is in flight now."""

    models: tuple[ModelStats, ...]
    in_flight: int
    """Requests between admission and answer."""
    wasted: int
    """Answers that were computed and came too late for anybody."""


def stats_routes(service: InferenceService) -> list[HTTPRouteHandler]:
    """The counts of all models."""

    @get("/v1/stats", sync_to_thread=False)
    def stats() -> Stats:
        return Stats(
            models=tuple(_model(service, engine) for engine in service.engines()),
            in_flight=service.admission.in_flight,
            wasted=service.wasted,
        )

    return [stats]


def _model(service: InferenceService, engine: "Engine") -> ModelStats:
    counts = service.counts(engine)
    return ModelStats(
        name=engine.bundle.name,
        version=engine.bundle.version,
        variant=engine.bundle.variant,
        preferred_batch=engine.preferred_batch,
        batch_sizes={size: number for size, number in enumerate(counts.batch_sizes) if number},
        alone=counts.alone,
        expired=counts.expired,
        abandoned=counts.abandoned,
    )
