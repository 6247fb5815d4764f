"""Predictions are reached without Litestar's layers, everything else through them."""

import asyncio

import pytest
from litestar import Litestar, get

from asgi_call import Body, Reply, scope
from photic.web.dispatch import Dispatch
from photic.web.routes.predict import PREDICT_PATHS, predict_routes

DIRECT_PATHS = [
    path.replace("{model:str}", "m").replace("{version:str}", "1") for path in PREDICT_PATHS
]


def reached(method: str, path: str) -> tuple[str, dict[str, str] | None]:
    """Who answered a call, and the path parameters that an endpoint was given."""
    parameters = []

    async def endpoint(scope, receive, send):
        parameters.append(dict(scope["path_params"]))
        who = b"litestar, endpoint" if "litestar_app" in scope else b"endpoint"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": who})

    @get("/other", sync_to_thread=False)
    def other() -> str:
        return "litestar"

    app = Dispatch(Litestar([*predict_routes(endpoint), other], openapi_config=None))
    reply = Reply()
    asyncio.run(app(scope(method, path), Body(b"").receive, reply.send))
    who = reply.body.decode() if reply.status == 200 else str(reply.status)
    return who, parameters[0] if parameters else None


@pytest.mark.parametrize("path", DIRECT_PATHS)
def test_predictions_go_directly(path):
    who, parameters = reached("POST", path)
    assert who == "endpoint"
    expected = {"model": "m", "version": "1"}
    assert parameters == {k: v for k, v in expected.items() if f"/{k}" in path}


@pytest.mark.parametrize("path", ["//v1/predict", "/v1/predict/", "/v1//models/m/predict"])
def test_paths_with_too_many_slashes_get_there_too(path):
    assert "endpoint" in reached("POST", path)[0]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/predict", "405"), ("POST", "/v1/predict/x", "404"), ("POST", "/other", "405")],
)
def test_errors_of_routing_are_litestars(method, path, status):
    assert reached(method, path) == (status, None)


def test_other_routes_go_through_litestar():
    assert reached("GET", "/other") == ("litestar", None)
