"""All routes together: what is not there, wrong methods, and that every error is a problem."""

import pytest

from asgi_call import Body, fetch

PATHS = ["/v1/predict", "/v1/models", "/v1/models/first", "/health/live", "/docs", "/"]


@pytest.mark.parametrize(
    "path", ["/nope", "/v1", "/v1/predict/x", "/v1/models/a/b", "/\0", "/%00", "//", "*"]
)
def test_paths_that_do_not_exist(serving, path):
    reply = fetch(serving().app, "GET", path)
    if path == "//":  # Litestar folds slashes
        assert reply.status == 200
        return
    assert (reply.status, reply.json()["code"]) == (404, "not_found")
    assert reply.headers["content-type"] == "application/problem+json"
    assert "/docs lists the paths" in reply.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/predict", "OPTIONS, POST"),
        ("HEAD", "/v1/predict", "OPTIONS, POST"),
        ("PUT", "/v1/models/first/predict", "OPTIONS, POST"),
        ("POST", "/v1/models", "GET, HEAD, OPTIONS"),
        ("DELETE", "/v1/models/first", "GET, HEAD, OPTIONS"),
        ("BREW", "/health/live", "GET, HEAD, OPTIONS"),
    ],
)
def test_wrong_methods(serving, method, path, allow):
    reply = fetch(serving().app, method, path)
    assert (reply.status, reply.json()["code"]) == (405, "method_not_allowed")
    assert reply.headers["allow"] == allow
    assert allow in reply.json()["detail"]


@pytest.mark.parametrize("path", PATHS)
def test_options(serving, path):
    reply = fetch(serving().app, "OPTIONS", path)
    assert reply.status == 204
    assert "OPTIONS" in reply.headers["allow"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_request_id(serving, path):
    for method in ("GET", "POST", "OPTIONS"):
        reply = fetch(serving().app, method, path, headers={"x-request-id": "me"})
        assert reply.headers["x-request-id"] == "me"


def test_a_bug_in_any_route_is_a_problem_without_details(serving, caplog):
    s = serving()
    s.service.engines = lambda: 1 / 0
    reply = fetch(s.app, "GET", "/v1/models")
    assert (reply.status, reply.json()["code"]) == (500, "internal")
    assert "division" not in reply.body.decode()
    assert "ZeroDivisionError" in caplog.text


def test_a_length_that_is_no_number_is_a_problem_of_predictions_too(serving):
    """They are answered without Litestar, and the body's reader refuses it first thing."""
    headers = {"content-length": "3, 3"}
    reply = fetch(serving().app, "POST", "/v1/predict", headers=headers, body=Body(b"abc"))
    assert (reply.status, reply.json()["code"]) == (400, "bad_request")


def test_an_invalid_host_is_a_problem(serving):
    reply = fetch(serving().app, "GET", "/", headers={"host": "<script>"})
    assert (reply.status, reply.json()["code"]) == (400, "bad_request")
