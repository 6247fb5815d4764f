"""The operation of a predict route in the OpenAPI document."""

from typing import Any, Final

from photic.settings import Settings
from photic.web.problem import PROBLEM_JSON

__all__ = [
    "REF_TEMPLATE",
    "Json",
    "json_content",
    "predict_operation",
    "problem_responses",
    "schema_ref",
]

Json = dict[str, Any]

REF_TEMPLATE: Final = "#/components/schemas/{name}"

_PROBLEMS: Final = {
    400: "Malformed request: a parameter, a header, the multipart framing, an empty body.",
    404: "No such model, version or path; the detail lists the models.",
    408: "The body did not arrive in time.",
    413: "The body is larger, or holds more images, than the limit.",
    415: "Not a supported image; the detail says what the bytes look like.",
    422: "A corrupt or truncated image, or one with too many pixels.",
    429: "Too many requests in flight.",
    500: "The model failed, or a bug.",
    503: "Not ready yet, or shutting down.",
    504: "The deadline passed before the answer was ready.",
}
_RETRY_AFTER: Final = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}
}


def predict_operation(
    operation_id: str, summary: str, path_parameters: list[Json], settings: Settings
) -> Json:
    """A predict route, with its own path parameters and the current limits and defaults."""
    top_k = {
        "name": "top_k",
        "in": "query",
        "description": "Predictions in the answer; at most the number of classes.",
        "schema": {"type": "integer", "minimum": 1, "default": settings.models.top_k},
    }
    headers = [{"$ref": f"#/components/parameters/{name}"} for name in ("RequestId", "Timeout")]
    answer = {"oneOf": [schema_ref("Answer"), schema_ref("Results")]}
    timing = {"Server-Timing": {"description": "Stages.", "schema": {"type": "string"}}}
    return {
        "operationId": operation_id,
        "summary": summary,
        "tags": ["predict"],
        "parameters": [*path_parameters, top_k, *headers],
        "requestBody": _request_body(settings),
        "responses": {
            "200": {
                "description": "An Answer to a raw body, Results to a multipart one.",
                "headers": timing,
                "content": json_content(answer),
            },
            **problem_responses(tuple(_PROBLEMS)),
        },
    }


def _request_body(settings: Settings) -> Json:
    types = ["image/jpeg", *(f"image/{name}" for name in settings.decode.formats)]
    binary: Json = {media_type: {} for media_type in [*types, "application/octet-stream"]}
    image = {"type": "string", "contentMediaType": "image/jpeg"}
    images = {"type": "array", "items": image, "minItems": 1, "maxItems": settings.body.max_images}
    form = {"type": "object", "properties": {"image": images}, "required": ["image"]}
    return {
        "required": True,
        "description": "One image as it is (its bytes tell the format, whatever the Content-Type), "
        f"or a form with files. At most {settings.body.max_bytes} bytes.",
        "content": {**binary, "multipart/form-data": {"schema": form}},
    }


def problem_responses(statuses: tuple[int, ...]) -> Json:
    """The answers that are problems, by status."""
    return {
        str(status): {
            "description": _PROBLEMS[status],
            "content": {PROBLEM_JSON.decode(): {"schema": schema_ref("Problem")}},
            **({"headers": _RETRY_AFTER} if status in (429, 503) else {}),
        }
        for status in statuses
    }


def schema_ref(name: str) -> Json:
    """A reference to the schema of a struct."""
    return {"$ref": REF_TEMPLATE.format(name=name)}


def json_content(schema: Json) -> Json:
    """A JSON body with a schema."""
    return {"application/json": {"schema": schema}}
