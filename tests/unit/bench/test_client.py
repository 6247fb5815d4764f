"""The client against a server that answers whatever the test says, byte by byte."""

import socket
import threading
from contextlib import contextmanager

import pytest

from bench.harness.client import CONNECTION_FAILED, TIMED_OUT, Client, Endpoint, multipart_frame

BODY = b'{"top": 282}'
PLAIN = b"HTTP/1.1 200 OK\r\nServer-Timing: infer;dur=1.5\r\nContent-Length: 12\r\n\r\n" + BODY
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b'5\r\n{"top\r\n7;x=y\r\n": 282}\r\n0\r\n\r\n'
)


def read_request(connection) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@contextmanager
def answering(*connections):
    """A server: for each connection the answers it gives, each a list of pieces, then closes.

    Yields the endpoint and the list of requests.
    """
    requests = []

    def serve(listener):
        for answers in connections:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection:
                for pieces in answers:
                    requests.append(read_request(connection))
                    for piece in pieces:
                        connection.sendall(piece)
                if not answers:
                    while connection.recv(65_536):
                        pass  # silent until the client leaves

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        yield Endpoint(*listener.getsockname(), "/predict", top_1), requests
        thread.join(10)
        assert not thread.is_alive()


def top_1(body: bytes) -> int:
    assert body == BODY
    return 282


def predict(endpoint, photo=b"photo"):
    with Client(endpoint) as client:
        return client.predict(photo)


@pytest.mark.parametrize("answer", [PLAIN, CHUNKED], ids=["plain", "chunked"])
@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_an_answer_in_pieces_of_any_size(answer, size):
    pieces = [answer[i : i + size] for i in range(0, len(answer), size)]
    with answering([pieces, pieces]) as (endpoint, requests), Client(endpoint) as client:
        replies = [client.predict(b"photo"), client.predict(b"another")]
    assert [(r.status, r.top1, r.good) for r in replies] == [(200, 282, True)] * 2
    assert all(r.latency_ns > 0 for r in replies)
    assert [request.partition(b"\r\n\r\n")[2] for request in requests] == [b"photo", b"another"]


def test_the_head_is_kept():
    with answering([[PLAIN]]) as (endpoint, _):
        reply = predict(endpoint)
    assert b"\r\nserver-timing: infer;dur=1.5" in reply.head


def test_a_large_photo_is_sent_whole():
    photo = bytes(range(256)) * 40_000
    with answering([[PLAIN]]) as (endpoint, requests):
        assert predict(endpoint, photo).good
    assert requests[0].endswith(b"\r\n\r\n" + photo)


def test_a_refusal_is_no_good_answer():
    refusal = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\n{}"
    with answering([[refusal]]) as (endpoint, _):
        reply = predict(endpoint)
    assert (reply.status, reply.top1, reply.good) == (429, None, False)


def test_a_closed_connection_is_opened_again():
    closing = PLAIN.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")
    with answering([[closing]], [[closing]]) as (endpoint, _), Client(endpoint) as client:
        assert client.predict(b"photo").good
        assert client.predict(b"photo").good


def test_half_an_answer_is_a_failed_connection():
    with answering([[PLAIN[:-3]]], [[PLAIN]]) as (endpoint, _), Client(endpoint) as client:
        assert client.predict(b"photo").status == CONNECTION_FAILED
        assert client.predict(b"photo").good


def test_no_server_is_a_failed_connection():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
    reply = predict(Endpoint(*address, "/predict", top_1))
    assert reply.status == CONNECTION_FAILED
    assert not reply.good


def test_silence_times_out():
    with answering([]) as (endpoint, _), Client(endpoint, deadline_s=0.05) as client:
        reply = client.predict(b"photo")
    assert reply.status == TIMED_OUT
    assert reply.latency_ns >= 50_000_000


def test_a_form_and_more_headers():
    content_type, before, after = multipart_frame("file")
    with answering([[PLAIN]]) as (endpoint, requests):
        form = Endpoint(
            endpoint.host,
            endpoint.port,
            "/form",
            top_1,
            content_type,
            "X-One: 1\r\n",
            before,
            after,
        )
        with Client(form, headers="X-Two: 2\r\n") as client:
            assert client.predict(b"photo").good
    head, _, body = requests[0].partition(b"\r\n\r\n")
    boundary = content_type.partition("boundary=")[2].encode()
    assert head.startswith(b"POST /form HTTP/1.1\r\n")
    assert {b"X-One: 1", b"X-Two: 2"} <= set(head.split(b"\r\n"))
    assert body.startswith(b"--" + boundary)
    assert body.endswith(b"\r\n\r\nphoto\r\n--" + boundary + b"--\r\n")
