"""All routes as one ASGI application."""

from importlib.metadata import version

from litestar import Litestar

from photic.serving.service import InferenceService
from photic.settings import Settings
from photic.web.dispatch import Dispatch
from photic.web.envelope import Envelope
from photic.web.lifecycle import Lifecycle
from photic.web.openapi import openapi_document
from photic.web.order import OrderReader
from photic.web.predict import PredictEndpoint
from photic.web.problem import exception_handlers
from photic.web.routes.docs import docs_routes
from photic.web.routes.health import health_routes
from photic.web.routes.models import models_routes
from photic.web.routes.predict import predict_routes
from photic.web.routes.stats import stats_routes

__all__ = ["create_application"]


def create_application(
    service: InferenceService, settings: Settings, lifecycle: Lifecycle
) -> Envelope:
    """The HTTP API of a service.

    Args:
        service: Answers the predictions.
        settings: All sections: the OpenAPI document names limits of most.
        lifecycle: Tells readiness and when connections close; whoever serves moves it on.
    """
    orders = OrderReader(service, top_k=settings.models.top_k, admission=settings.admission)
    own_version = version("photic")
    routes = [
        *predict_routes(PredictEndpoint(service, orders, settings.body, lifecycle.lingering)),
        *models_routes(service),
        *stats_routes(service),
        *health_routes(service, lifecycle),
        *docs_routes(own_version, openapi_document(own_version, settings)),
    ]
    litestar = Litestar(
        routes,
        exception_handlers=exception_handlers(),
        # Litestar's own document, logging and body limit stay out of the way: the document is made
        # in openapi.py, exceptions are logged in problem.py, bodies are limited in body.py.
        openapi_config=None,
        logging_config=None,
        request_max_body_size=None,
    )
    return Envelope(Dispatch(litestar), lifecycle)
