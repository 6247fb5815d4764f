"""The OpenAPI document says what the server does."""

import re
from typing import Any

import msgspec
import pytest

from asgi_call import fetch
from photic.errors import RequestError
from photic.settings import AdmissionSettings, BodySettings, DecodeSettings, ModelSettings


@pytest.fixture
def document(serving) -> Any:
    return fetch(serving().app, "GET", "/openapi.json").json()


def walk(value: Any):
    yield value
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from walk(inner)


def test_every_reference_resolves(document):
    references = [v["$ref"] for v in walk(document) if isinstance(v, dict) and "$ref" in v]
    assert references
    for reference in references:
        target = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_paths_and_methods_are_those_that_exist(serving, document):
    app = serving().app
    routes = {re.sub(r"{(\w+):\w+}", r"{\1}", route.path) for route in app._app._app.routes}
    assert set(document["paths"]) == routes - {"/", "/docs", "/openapi.json"}
    for path, item in document["paths"].items():
        real = path.replace("{model}", "first").replace("{version}", "1")
        allowed = fetch(app, "OPTIONS", real).headers["allow"].split(", ")
        assert {method.upper() for method in item} == set(allowed) - {"OPTIONS"}


def test_path_parameters_are_described(document):
    for path, item in document["paths"].items():
        for operation in item.values():
            named = {p["name"] for p in operation["parameters"] if p.get("in") == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))


def test_operation_ids_differ(document):
    ids = [op["operationId"] for item in document["paths"].values() for op in item.values()]
    assert len(ids) == len(set(ids))


def test_a_predict_route_describes_bodies_answers_and_every_problem(document):
    operation = document["paths"]["/v1/predict"]["post"]
    assert {"image/jpeg", "image/png", "image/webp", "multipart/form-data"} <= set(
        operation["requestBody"]["content"]
    )
    ok = operation["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"]
    assert [ref["$ref"].split("/")[-1] for ref in ok] == ["Answer", "Results"]
    statuses = {error.status for error in RequestError.__subclasses__()} | {400, 415, 422}
    problems = set(operation["responses"]) - {"200"}
    assert problems == {str(status) for status in statuses} - {"499"}
    for status in problems:
        assert list(operation["responses"][status]["content"]) == ["application/problem+json"]


def test_limits_are_those_of_the_settings(serving):
    s = serving(
        body=BodySettings(max_bytes=12_345, max_images=7),
        admission=AdmissionSettings(deadline_ms=432),
        models=ModelSettings(top_k=3),
        decode=DecodeSettings(formats=("gif",)),
    )
    document = fetch(s.app, "GET", "/openapi.json").json()
    text = msgspec.json.encode(document).decode()
    assert "12345" in text
    assert "432" in text
    body = document["paths"]["/v1/predict"]["post"]["requestBody"]["content"]
    assert body["multipart/form-data"]["schema"]["properties"]["image"]["maxItems"] == 7
    assert "image/gif" in body
    assert "image/png" not in body


def test_an_answer_has_exactly_the_described_fields(serving, document):
    answer = fetch(serving().app, "POST", "/v1/predict", body=b"x").json()
    schema = document["components"]["schemas"]["Answer"]
    assert set(answer) <= set(schema["properties"])
    assert set(schema["required"]) <= set(answer)
