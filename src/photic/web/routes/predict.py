"""The routes of predictions."""

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from photic.web.dispatch import DIRECT

__all__ = ["PREDICT_PATHS", "predict_routes"]

PREDICT_PATHS = (
    "/v1/predict",
    "/v1/models/{model:str}/predict",
    "/v1/models/{model:str}/versions/{version:str}/predict",
)


def predict_routes(endpoint: ASGIApp) -> list[HTTPRouteHandler]:
    """All of them lead to one ASGI application, which ``Dispatch`` calls directly."""

    @post(list(PREDICT_PATHS), status_code=200, sync_to_thread=False, opt={DIRECT: endpoint})
    def predict() -> ASGIApp:
        return endpoint  # for paths that Litestar folds first, such as //v1/predict/

    return [predict]
