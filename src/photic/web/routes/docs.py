"""``/``, ``/openapi.json`` and ``/docs``: the API describes itself, without the internet."""

from importlib.resources import files
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

__all__ = ["Index", "docs_routes"]


class Index(Struct, frozen=True):
    """Where to go from ``/``."""

    name: str
    version: str
    predict: str = "/v1/predict"
    models: str = "/v1/models"
    docs: str = "/docs"
    openapi: str = "/openapi.json"


def docs_routes(version: str, document: dict[str, Any]) -> list[HTTPRouteHandler]:
    """Routes that serve the OpenAPI document and the page that shows it."""
    document_json = msgspec.json.encode(document)
    page = files("photic.web").joinpath("docs.html").read_bytes()
    # The page may load nothing but its own two parts and the API: no CDN, no fonts, no tracking.
    inline = "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    headers = {"content-security-policy": f"default-src 'self'; {inline}"}

    @get("/", sync_to_thread=False)
    def index() -> Index:
        return Index("photic", version)

    @get("/openapi.json", sync_to_thread=False)
    def openapi() -> Response[bytes]:
        return Response(document_json, media_type=MediaType.JSON)

    @get("/docs", sync_to_thread=False)
    def docs() -> Response[bytes]:
        return Response(page, media_type=MediaType.HTML, headers=headers)

    return [index, openapi, docs]
