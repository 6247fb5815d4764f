"""The OpenAPI 3.1 document of the HTTP API, made from the structs that are sent."""

from collections.abc import Sequence
from typing import Final

import msgspec

from photic.serving.answer import Answer
from photic.settings import Settings
from photic.web.openapi_predict import (
    REF_TEMPLATE,
    Json,
    json_content,
    predict_operation,
    problem_responses,
    schema_ref,
)
from photic.web.problem import Problem
from photic.web.results import Results
from photic.web.routes.health import Health
from photic.web.routes.models import Model, ModelList
from photic.web.routes.stats import Stats

__all__ = ["openapi_document"]

_STRUCTS: Final = (Answer, Results, Problem, Health, ModelList, Model, Stats)
_MODEL: Final = {"name": "model", "in": "path", "required": True, "schema": {"type": "string"}}
_VERSION: Final = {
    "name": "version",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}


def openapi_document(version: str, settings: Settings) -> Json:
    """The document as JSON values.

    Args:
        version: Photic's version.
        settings: The defaults and limits that it names.
    """
    _, components = msgspec.json.schema_components(_STRUCTS, ref_template=REF_TEMPLATE)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Photic",
            "version": version,
            "summary": "POST a JPEG, get predictions in milliseconds.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": _paths(settings),
        "components": {
            "schemas": components,
            "parameters": {
                "RequestId": _header("X-Request-Id", "Comes back in the answer.", "string"),
                "Timeout": _header(
                    "X-Request-Timeout-Ms",
                    f"Milliseconds to the deadline; {settings.admission.deadline_ms} by default, "
                    f"at most {settings.admission.max_deadline_ms}.",
                    "integer",
                ),
            },
        },
    }


def _paths(settings: Settings) -> Json:
    predict = {
        "/v1/predict": ("predict", "the default model", []),
        "/v1/models/{model}/predict": ("predictModel", "one model", [_MODEL]),
        "/v1/models/{model}/versions/{version}/predict": (
            "predictModelVersion",
            "one version of a model",
            [_MODEL, _VERSION],
        ),
    }
    paths: Json = {
        path: {"post": predict_operation(name, f"Predict with {which}", parameters, settings)}
        for path, (name, which, parameters) in predict.items()
    }
    paths["/v1/models"] = _get("listModels", "List the models", "ModelList")
    paths["/v1/models/{model}"] = _get(
        "showModel", "Describe a model", "Model", parameters=[_MODEL], problems=(404,)
    )
    paths["/v1/stats"] = _get("stats", "What the server has done so far", "Stats")
    paths["/health/live"] = _get("live", "All worker threads run", "Health", problems=(503,))
    paths["/health/ready"] = _get("ready", "Requests are welcome", "Health", problems=(503,))
    return paths


def _get(
    operation_id: str,
    summary: str,
    answer: str,
    *,
    parameters: Sequence[Json] = (),
    problems: tuple[int, ...] = (),
) -> Json:
    operation = {
        "operationId": operation_id,
        "summary": summary,
        "tags": ["health" if answer == "Health" else "models"],
        "parameters": parameters,
        "responses": {
            "200": {"description": f"{summary}.", "content": json_content(schema_ref(answer))},
            **problem_responses(problems),
        },
    }
    return {"get": operation}


def _header(name: str, description: str, kind: str) -> Json:
    return {"name": name, "in": "header", "description": description, "schema": {"type": kind}}
