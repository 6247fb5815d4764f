"""Every error becomes a problem, and tells neither too little nor too much."""

import logging

import msgspec
import pytest
from litestar.exceptions import NotFoundException

from photic import errors
from photic.web.problem import problem_of, problem_reply

REQUEST_ERRORS = [
    (errors.BadRequest("d"), 400, "bad_request"),
    (errors.ModelNotFound("d"), 404, "model_not_found"),
    (errors.BodyTimeout("d"), 408, "body_timeout"),
    (errors.BodyTooLarge("d"), 413, "body_too_large"),
    (errors.BodyTooLarge("d", code="too_many_images"), 413, "too_many_images"),
    (errors.UnsupportedEncoding("d"), 415, "unsupported_encoding"),
    (errors.ImageError("d", code="empty"), 400, "empty"),
    (errors.ImageError("d", code="not_jpeg"), 415, "not_jpeg"),
    (errors.ImageError("d", code="truncated"), 422, "truncated"),
    (errors.Overloaded("d", retry_after=2), 429, "overloaded"),
    (errors.Unavailable("d", retry_after=2), 503, "unavailable"),
    (errors.DeadlineExceeded("d"), 504, "deadline_exceeded"),
    (errors.InferenceFailed("d"), 500, "inference_failed"),
]


@pytest.mark.parametrize(("error", "status", "code"), REQUEST_ERRORS)
def test_our_own_errors(error, status, code):
    reply = problem_reply(error, "id1")
    assert reply.status == status
    assert reply.media_type == b"application/problem+json"
    assert msgspec.json.decode(reply.body) == {
        "type": f"urn:photic:problem:{code}",
        "title": error.title,
        "status": status,
        "code": code,
        "detail": "d",
        "request_id": "id1",
    }


def test_every_request_error_is_in_the_table():
    tried = {type(error) for error, _, _ in REQUEST_ERRORS} | {errors.Abandoned}
    assert tried == set(errors.RequestError.__subclasses__())


def test_retry_after():
    assert (b"retry-after", b"2") in problem_reply(
        errors.Overloaded("d", retry_after=2), "i"
    ).headers
    assert problem_reply(errors.BadRequest("d"), "i").headers == []


def test_a_refused_encoding_says_which_is_accepted():
    headers = problem_reply(errors.UnsupportedEncoding("d"), "i").headers
    assert (b"accept-encoding", b"identity") in headers


def test_litestars_errors():
    problem = problem_of(NotFoundException(), "i")
    assert (problem.status, problem.code, problem.title) == (404, "not_found", "Not Found")


def test_a_bug_is_logged_with_its_traceback_and_hidden_from_the_client(caplog):
    problem = problem_of(ZeroDivisionError("/secret/path"), "id7")
    assert (problem.status, problem.code) == (500, "internal")
    assert "secret" not in problem.detail
    assert "id7" in problem.detail
    [record] = caplog.records
    assert "id7" in record.message
    assert record.exc_info[0] is ZeroDivisionError


def test_only_our_own_failures_are_logged(caplog):
    caplog.set_level(logging.INFO)
    for error, _, _ in REQUEST_ERRORS:
        problem_of(error, "id9")
    assert [record.message for record in caplog.records] == ["request id9: inference_failed: d"]
