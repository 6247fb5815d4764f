"""HTTP/1.1 as RFC 9110 and 9112 want it, byte by byte; after each case the server still answers."""

import itertools
import socket
from collections.abc import Iterable

import pytest

from raw_http import RawConnection
from running_server import RunningServer

GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@pytest.fixture
def connection(running):
    with RawConnection(running.address) as connection:
        yield connection
    with RawConnection(running.address) as after:
        after.send(LAST)
        assert after.answer()[0] == 200


def post(*headers: bytes, body: bytes = b"", version: bytes = b"1.1") -> bytes:
    lines = [b"POST /v1/predict HTTP/" + version, *headers, b"", body]
    return b"\r\n".join(lines)


HOST = b"Host: x"


def test_pipelined_requests_are_answered_in_order(connection, jpegs):
    image = jpegs["coffee"]
    length = b"Content-Length: %d" % len(image)
    connection.send(post(HOST, length, body=image) + GET + post(HOST, length, body=image) + LAST)
    answers = [connection.answer(m) for m in (b"POST", b"GET", b"POST", b"GET")]
    assert [status for status, _, _ in answers] == [200] * 4
    assert b"espresso" in answers[0][2]
    assert b"live" in answers[1][2]
    assert connection.is_closed()


def test_a_body_byte_by_byte(connection, jpegs):
    image = jpegs["coffee"][:300]
    connection.send(post(HOST, b"Content-Length: 300"))
    for i in range(300):
        connection.send(image[i : i + 1])
    status, _, body = connection.answer(b"POST")
    assert (status, b'"truncated' in body or b'"bad_' in body) == (422, True)


def test_head_has_the_headers_of_get_and_no_body(connection):
    connection.send(GET)
    _, get_headers, body = connection.answer()
    assert body
    connection.send(GET.replace(b"GET", b"HEAD"))
    status, headers, body = connection.answer(b"HEAD")
    assert (status, body) == (200, b"")
    assert headers["content-length"] == get_headers["content-length"]
    connection.send(GET)
    assert connection.answer()[0] == 200  # nothing of the HEAD is left over


def test_head_of_a_post_route(connection):
    connection.send(GET.replace(b"GET /health/live", b"HEAD /v1/predict"))
    status, headers, _ = connection.answer(b"HEAD")
    assert (status, headers["allow"]) == (405, "OPTIONS, POST")


def test_options(connection):
    connection.send(GET.replace(b"GET /health/live", b"OPTIONS /v1/predict"))
    status, headers, body = connection.answer(b"OPTIONS")
    assert (status, headers["allow"], body) == (204, "OPTIONS, POST", b"")


def test_http_1_0(connection):
    connection.send(b"GET /health/live HTTP/1.0\r\n\r\n")
    assert connection.answer()[0] == 200
    assert connection.is_closed()


MALFORMED = {
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "strange host": b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
    "NUL in the path": b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "space before the colon": b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "folded header": b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "two lengths": post(HOST, b"Content-Length: 3", b"Content-Length: 5", body=b"abc"),
    "two lengths in one": post(HOST, b"Content-Length: 3, 5", body=b"abc"),
    "negative length": post(HOST, b"Content-Length: -3", body=b"abc"),
    "signed length": post(HOST, b"Content-Length: +3", body=b"abc"),
    "hexadecimal length": post(HOST, b"Content-Length: 0x3", body=b"abc"),
    "unknown transfer coding": post(HOST, b"Transfer-Encoding: xchunked", body=b"3\r\nabc\r\n"),
    "chunked is not last": post(HOST, b"Transfer-Encoding: chunked, gzip", body=b"0\r\n\r\n"),
    "chunked in HTTP/1.0": post(
        HOST, b"Transfer-Encoding: chunked", body=b"0\r\n\r\n", version=b"1.0"
    ),
    "bad chunk size": post(HOST, b"Transfer-Encoding: chunked", body=b"zz\r\nabc\r\n0\r\n\r\n"),
    "chunk size too large": post(HOST, b"Transfer-Encoding: chunked", body=b"f" * 20 + b"\r\n"),
    "chunk without its line end": post(
        HOST, b"Transfer-Encoding: chunked", body=b"3\r\nabcX0\r\n\r\n"
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_requests_are_refused(connection, name):
    connection.send(MALFORMED[name])
    status, _, _ = connection.answer(b"POST")
    assert status == 400


def test_headers_of_400_kb_pass(connection):
    connection.send(GET.replace(b"Host", b"A: " + b"x" * 400_000 + b"\r\nHost"))
    assert connection.answer()[0] == 200


@pytest.mark.parametrize(
    "headers", [b"A: " + b"x" * 1_000_000, b"\r\n".join(b"A%d: x" % i for i in range(200))]
)
def test_too_many_or_too_long_headers(connection, headers):
    connection.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n\r\n")
    assert connection.answer()[0] == 431


SMUGGLED = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        # A length and chunks: the chunks count, and the connection ends.
        ((b"Content-Length: 5", b"Transfer-Encoding: chunked"), b"0\r\n\r\n"),
        # What is left of a refused body is no request.
        ((b"Content-Length: 30000000",), b""),
        ((b"Content-Encoding: gzip", b"Content-Length: 60"), b""),
        ((b"X-Request-Timeout-Ms: x", b"Content-Length: 1000"), b""),
    ],
)
def test_no_body_is_taken_for_a_request(connection, headers, body):
    connection.send(post(HOST, *headers, body=body + SMUGGLED))
    status, _, _ = connection.answer(b"POST")
    assert 400 <= status < 500
    connection.sock.shutdown(socket.SHUT_WR)
    assert connection.is_closed()


def test_continue_is_sent_before_the_body_is_read(connection, jpegs):
    image = jpegs["coffee"]
    connection.send(post(HOST, b"Expect: 100-continue", b"Content-Length: %d" % len(image)))
    assert connection.sock.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
    connection.send(image)
    assert connection.answer(b"POST")[0] == 200


@pytest.mark.parametrize(
    ("header", "status"), [(b"Content-Length: 99999999", 413), (b"Content-Encoding: br", 415)]
)
def test_no_continue_for_a_body_that_is_refused(connection, header, status):
    more = () if header.startswith(b"Content-L") else (b"Content-Length: 9",)
    connection.send(post(HOST, b"Expect: 100-continue", header, *more))
    first = connection.sock.recv(12)
    assert first == b"HTTP/1.1 %d" % status


MiB = 1024 * 1024


@pytest.mark.parametrize("size", [21 * MiB, 32 * MiB, 64 * MiB])
def test_a_client_still_sending_sees_why_it_is_refused(connection, size):
    """All that it sends is read: closing sooner would reset the connection in mid-send."""
    connection.send(post(HOST, b"Content-Length: %d" % size))
    for _ in range(size // MiB):
        connection.send(b"x" * MiB)
    status, _, body = connection.answer(b"POST")
    assert (status, b"body_too_large" in body) == (413, True)
    connection.send(GET)
    assert connection.answer()[0] == 200


def test_a_refused_client_that_reads_sees_the_answer_before_it_has_sent_all(connection):
    connection.send(post(HOST, b"Content-Length: %d" % (32 * MiB), body=b"x" * MiB))
    assert connection.answer(b"POST")[0] == 413
    connection.send(b"x" * MiB)


def send_each(connection: RawConnection, chunks: Iterable[bytes]) -> None:
    for chunk in chunks:
        connection.send(chunk)


def test_a_client_that_sends_for_too_long_can_still_read_the_answer():
    """It may fail in its send, but what had been sent to it before the reset is there."""
    with RunningServer("--set", "body.linger_ms=50") as server:
        with RawConnection(server.address) as connection:
            connection.send(post(HOST, b"Content-Length: %d" % 10**12))
            endless = itertools.repeat(b"x" * MiB)  # pytest's timeout ends it
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                send_each(connection, endless)
            status, _, body = connection.answer(b"POST")
            assert (status, b"body_too_large" in body) == (413, True)
        assert server.stop() == 0


def test_http_2_is_off(connection):
    connection.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    assert connection.is_closed()
