"""``/health/live`` and ``/health/ready``, for supervisors and load balancers."""

from litestar import get
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from photic.errors import Unavailable
from photic.serving.service import InferenceService
from photic.web.lifecycle import Lifecycle

__all__ = ["Health", "health_routes"]


class Health(Struct, frozen=True):
    """A good answer; a bad one is a problem with status 503."""

    status: str


def health_routes(service: InferenceService, lifecycle: Lifecycle) -> list[HTTPRouteHandler]:
    """Live: all worker threads run. Ready: live, warmed up, and not shutting down."""

    def check_live() -> None:
        health = service.health()
        if not health.healthy:
            raise Unavailable(f"{health.alive} of {health.expected} worker threads are alive")

    @get("/health/live", sync_to_thread=False)
    def live() -> Health:
        check_live()
        return Health("live")

    @get("/health/ready", sync_to_thread=False)
    def ready() -> Health:
        check_live()
        if not lifecycle.is_ready:
            raise Unavailable(f"the server is {lifecycle.phase.value}")
        return Health("ready")

    return [live, ready]
