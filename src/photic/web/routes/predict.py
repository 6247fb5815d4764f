"""The routes of predictions."""

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

__all__ = ["PREDICT_PATHS", "predict_routes"]

PREDICT_PATHS = (
    "/v1/predict",
    "/v1/models/{model:str}/predict",
    "/v1/models/{model:str}/versions/{version:str}/predict",
)


def predict_routes(endpoint: ASGIApp) -> list[HTTPRouteHandler]:
    """All of them lead to one ASGI application.

    Handing Litestar an ASGI application as the answer costs half of what its Request and Response
    do (docs/adr/0004-granian-embedded.md).
    """

    @post(list(PREDICT_PATHS), status_code=200, sync_to_thread=False)
    def predict() -> ASGIApp:
        return endpoint

    return [predict]
