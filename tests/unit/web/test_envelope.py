"""What all calls have in common."""

import asyncio

import pytest

from asgi_call import Body, Reply, fetch, scope
from photic.errors import BadRequest
from photic.web.envelope import Envelope
from photic.web.lifecycle import Lifecycle, Phase


async def inner(scope, receive, send):
    headers = [(b"method", scope["method"].encode())]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def lifecycle():
    return Lifecycle()


@pytest.fixture
def app(lifecycle):
    return Envelope(inner, lifecycle)


def test_the_request_id_comes_back(app):
    assert fetch(app, "GET", "/", headers={"x-request-id": "abc"}).headers["x-request-id"] == "abc"
    assert fetch(app, "GET", "/").headers["x-request-id"]


def test_head_is_get_without_a_body_which_the_server_leaves_out(app):
    assert fetch(app, "HEAD", "/").headers["method"] == "GET"


@pytest.mark.parametrize(
    ("phase", "closes"),
    [
        (Phase.STARTING, False),
        (Phase.SERVING, False),
        (Phase.LEAVING, True),
        (Phase.DRAINING, True),
        (Phase.STOPPED, True),
    ],
)
def test_connections_close_once_the_server_leaves(app, lifecycle, phase, closes):
    lifecycle.phase = phase
    assert ("connection" in fetch(app, "GET", "/").headers) is closes


@pytest.mark.parametrize("hosts", [[], [b"x", b"x"], [b""]])
def test_http_1_1_needs_exactly_one_host(app, hosts):
    call = scope("GET", "/")
    call["headers"] = [(b"host", host) for host in hosts]
    reply = Reply()
    asyncio.run(app(call, Body().receive, reply.send))
    assert reply.status == 400
    assert reply.json()["detail"] == "a request needs exactly one Host header"
    assert reply.headers["x-request-id"] == reply.json()["request_id"]


@pytest.mark.parametrize("host", [b"a b", b"<script>", b"x/y", b"\xc3\xbc"])
def test_a_host_has_the_characters_of_one(app, host):
    call = scope("GET", "/") | {"headers": [(b"host", host)]}
    reply = Reply()
    asyncio.run(app(call, Body().receive, reply.send))
    assert reply.status == 400
    assert reply.json()["detail"] == "the Host header has characters that no host has"


@pytest.mark.parametrize("host", [b"x", b"a.example:8000", b"[::1]:80", b"a_b-c~1", b"%41"])
def test_hosts_that_pass(app, host):
    call = scope("GET", "/") | {"headers": [(b"host", host)]}
    reply = Reply()
    asyncio.run(app(call, Body().receive, reply.send))
    assert reply.status == 204


def test_http_1_0_needs_no_host(app):
    call = scope("GET", "/") | {"http_version": "1.0", "headers": []}
    reply = Reply()
    asyncio.run(app(call, Body().receive, reply.send))
    assert reply.status == 204


def test_what_the_server_cancels_when_it_stops_is_no_error(lifecycle):
    async def cancelled(scope, receive, send):
        raise asyncio.CancelledError

    async def run():
        app = Envelope(cancelled, lifecycle)
        lifecycle.phase = Phase.DRAINING
        with pytest.raises(asyncio.CancelledError):
            await app(scope("GET", "/"), Body().receive, Reply().send)
        lifecycle.phase = Phase.STOPPED
        await app(scope("GET", "/"), Body().receive, Reply().send)

    asyncio.run(run())


def failing(error, *, after_start=False):
    async def app(scope, receive, send):
        if after_start:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise error

    return app


def test_what_no_layer_answered_is_a_problem_and_logged(lifecycle, caplog):
    reply = fetch(Envelope(failing(ZeroDivisionError("secret")), lifecycle), "POST", "/")
    assert (reply.status, reply.json()["code"]) == (500, "internal")
    assert reply.json()["request_id"] == reply.headers["x-request-id"]
    assert "secret" not in reply.body.decode()
    assert "ZeroDivisionError" in caplog.text


def test_an_error_that_no_layer_answered_keeps_its_status(lifecycle):
    reply = fetch(Envelope(failing(BadRequest("so")), lifecycle), "POST", "/")
    assert (reply.status, reply.json()["detail"]) == (400, "so")


def test_an_answer_that_has_begun_is_not_followed_by_another(lifecycle):
    with pytest.raises(ZeroDivisionError):
        fetch(Envelope(failing(ZeroDivisionError(), after_start=True), lifecycle), "GET", "/")


@pytest.mark.parametrize(("length", "status"), [(8_000, 204), (8_001, 400)])
def test_a_path_has_an_end(app, length, status):
    """Litestar's routing remembers paths: thousands of long ones would fill the memory."""
    assert fetch(app, "POST", "/" + "x" * (length - 1)).status == status
