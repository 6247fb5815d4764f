"""The answer to a multipart upload: one result for each image, in order."""

from collections.abc import Sequence
from http import HTTPStatus

from msgspec import UNSET, Struct, UnsetType

from photic.models.bundle import ModelBundle
from photic.serving.answer import Answer, ClassScore
from photic.web.problem import Problem, problem_of

__all__ = ["Result", "Results", "collect", "common_status"]


class Result(Struct, frozen=True, kw_only=True):
    """What became of one image: the field of the model's task, or the error, is set."""

    name: str
    predictions: tuple[ClassScore, ...] | UnsetType = UNSET
    embedding: tuple[float, ...] | UnsetType = UNSET
    error: Problem | UnsetType = UNSET


class Results(Struct, frozen=True, kw_only=True):
    """What became of all images of one upload."""

    model: str
    version: int
    variant: str
    request_id: str
    results: tuple[Result, ...]


def collect(
    bundle: ModelBundle, request_id: str, named: Sequence[tuple[str, Answer | Exception]]
) -> Results:
    """Put the outcomes of the images of one upload together."""
    return Results(
        model=bundle.name,
        version=bundle.version,
        variant=bundle.variant,
        request_id=request_id,
        results=tuple(_result(name, outcome, request_id) for name, outcome in named),
    )


def common_status(results: Results) -> int:
    """200 when any image succeeded, else the status that all errors share, or 422."""
    statuses = {
        HTTPStatus.OK if result.error is UNSET else result.error.status
        for result in results.results
    }
    if HTTPStatus.OK in statuses:
        return HTTPStatus.OK
    return statuses.pop() if len(statuses) == 1 else HTTPStatus.UNPROCESSABLE_ENTITY


def _result(name: str, outcome: Answer | Exception, request_id: str) -> Result:
    if isinstance(outcome, Exception):
        return Result(name=name, error=problem_of(outcome, request_id))
    return Result(name=name, predictions=outcome.predictions, embedding=outcome.embedding)
