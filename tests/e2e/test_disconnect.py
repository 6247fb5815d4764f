"""Clients that leave give their slot back; the server goes on."""

import socket
import struct

import httpx
import pytest

from raw_http import RawConnection, hold
from running_server import HOLDS_REQUESTS, RunningServer


@pytest.fixture(scope="module")
def one_slot():
    """A server with a single slot, where no request is answered before half a minute."""
    with RunningServer(*HOLDS_REQUESTS, "--max-in-flight", "1") as server:
        yield server
        assert server.stop() == 0
        assert "Traceback" not in server.log


def head(length: int) -> bytes:
    return (
        b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nX-Request-Timeout-Ms: 60000\r\n"
        b"Content-Length: %d\r\n\r\n" % length
    )


def is_taken(server: RunningServer) -> bool:
    """Whether the slot is taken; a malformed multipart takes it only for an instant."""
    headers = {"content-type": "multipart/form-data; boundary=b"}
    response = httpx.post(f"{server.url}/v1/predict", content=b"x", headers=headers)
    assert response.status_code in (400, 429)
    return response.status_code == 429


def wait_until_free(server: RunningServer) -> None:
    """Ask again and again; pytest's timeout ends it."""
    while is_taken(server):
        pass


def holding(server: RunningServer, data: bytes) -> RawConnection:
    """A connection whose request has the slot."""
    return hold(server.address, data, lambda: is_taken(server))


def test_in_mid_body(one_slot, jpegs):
    with holding(one_slot, head(1_000_000) + jpegs["coffee"][:1_000]):
        assert is_taken(one_slot)
    wait_until_free(one_slot)


@pytest.mark.parametrize("how", ["close", "reset", "half-close"])
def test_while_waiting(one_slot, jpegs, how):
    with holding(one_slot, head(len(jpegs["coffee"])) + jpegs["coffee"]) as connection:
        if how == "reset":
            linger = struct.pack("ii", 1, 0)
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        if how == "half-close":
            connection.sock.shutdown(socket.SHUT_WR)
            wait_until_free(one_slot)
    wait_until_free(one_slot)


def test_who_sends_the_next_request_before_the_answer_has_not_left(one_slot, jpegs):
    """Each waits for its deadline, longer than it takes until the server looks for who left."""
    request = head(len(jpegs["coffee"])).replace(b"60000", b"400") + jpegs["coffee"]
    with RawConnection(one_slot.address) as connection:
        connection.send(2 * request)
        assert [connection.answer(b"POST")[0] for _ in range(2)] == [200, 200]


def test_in_mid_multipart(one_slot, jpegs):
    body = (
        b'--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n'
        + jpegs["coffee"]
        + b"\r\n--b--\r\n"
    )
    start = head(len(body)).replace(
        b"Host", b"Content-Type: multipart/form-data; boundary=b\r\nHost"
    )
    for cut in (100, len(body)):
        with holding(one_slot, start + body[:cut]):
            assert is_taken(one_slot)
        wait_until_free(one_slot)


def test_many_leave_and_the_server_still_answers(running, jpegs):
    data = head(len(jpegs["coffee"])) + jpegs["coffee"]
    for cut in range(0, len(data), len(data) // 40):
        with RawConnection(running.address) as connection:
            connection.send(data[:cut])
    response = httpx.post(f"{running.url}/v1/predict", content=jpegs["coffee"], timeout=30)
    assert response.json()["predictions"][0]["index"] == 967
