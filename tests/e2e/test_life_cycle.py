"""SIGTERM: readiness says no, nothing that was let in is lost, exit code 0."""

import concurrent.futures
import contextlib
import signal
import subprocess
import threading
import time

import httpx
import pytest

from raw_http import RawConnection
from running_server import HOLDS_REQUESTS, RunningServer

SLOTS = 3
PATIENT = {"x-request-timeout-ms": "60000"}


def fill(server: RunningServer, image: bytes, pool):
    """Requests that take all slots and wait; returns when the server has them all."""

    def ask() -> httpx.Response:
        while True:  # the question below takes a slot, too, for an instant
            response = httpx.post(
                f"{server.url}/v1/predict", content=image, headers=PATIENT, timeout=60
            )
            if response.status_code != 429:
                return response

    waiting = [pool.submit(ask) for _ in range(SLOTS)]
    while httpx.post(f"{server.url}/v1/predict", content=b"").status_code != 429:
        assert not any(future.done() for future in waiting)
    return waiting


def head(length: int) -> bytes:
    return (
        b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nX-Request-Timeout-Ms: 60000\r\n"
        b"Content-Length: %d\r\n\r\n" % length
    )


def assert_no_error(server: RunningServer) -> None:
    assert "Traceback" not in server.log
    assert "ERROR" not in server.log


@pytest.fixture
def pool():
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        yield pool


def test_requests_in_flight_finish_and_others_are_refused(jpegs, pool):
    held = ["--preferred-batch", "8", "--max-queue-delay-ms", "5000"]
    with RunningServer(*held, "--max-in-flight", str(SLOTS)) as server:
        waiting = fill(server, jpegs["coffee"], pool)
        server.signal(signal.SIGTERM)
        while True:
            ready = httpx.get(f"{server.url}/health/ready")
            if ready.status_code == 503:
                break
        assert ready.json()["detail"] in ("the server is leaving", "the server is draining")
        assert ready.headers["connection"] == "close"
        assert httpx.get(f"{server.url}/health/live").status_code == 200
        refused = httpx.post(f"{server.url}/v1/predict", content=jpegs["coffee"])
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert refused.headers["retry-after"] == "1"
        assert not any(future.done() for future in waiting)
        for future in waiting:
            response = future.result()
            assert response.status_code == 200
            assert response.json()["predictions"][0]["index"] == 967
            assert response.headers["connection"] == "close"
        assert server.wait() == 0
        assert_no_error(server)


def test_during_the_grace_requests_are_still_served(jpegs):
    with RunningServer("--drain-grace-ms", "700") as server:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            assert client.get("/health/ready").status_code == 200
            server.signal(signal.SIGTERM)
            while client.get("/health/ready").status_code == 200:
                pass
            response = client.post("/v1/predict", content=jpegs["coffee"])
        assert response.status_code == 200
        assert response.headers["connection"] == "close"
        assert server.wait() == 0


def test_a_drain_under_load_loses_no_request(jpegs, pool):
    """Bug report B16: busy keep-alive clients keep no server from ending, and lose nothing."""
    begun = threading.Barrier(9)

    def load(url: str) -> list[int]:
        statuses = []
        with httpx.Client(base_url=url, timeout=30) as client:
            begun.wait()
            while True:
                response = client.post("/v1/predict", content=jpegs["coffee"], headers=PATIENT)
                statuses.append(response.status_code)
                if response.headers.get("connection") == "close":  # as a good client obeys
                    return statuses

    with RunningServer("--drain-grace-ms", "1000") as server:
        clients = [pool.submit(load, server.url) for _ in range(8)]
        begun.wait()
        assert httpx.post(f"{server.url}/v1/predict", content=jpegs["coffee"]).status_code == 200
        server.signal(signal.SIGTERM)
        statuses = [status for client in clients for status in client.result()]
        assert set(statuses) == {200}
        assert len(statuses) >= 8
        assert server.wait() == 0
        assert_no_error(server)


def test_a_stop_under_load_logs_no_error(jpegs, pool):
    """Clients that go on, with new connections, until there is no server any more."""
    clients = 16
    begun = threading.Barrier(clients + 1)

    def load(url: str) -> set[int]:
        begun.wait()
        statuses = set()
        while True:
            try:
                with httpx.Client(base_url=url, timeout=30) as client:
                    response = client.post("/v1/predict", content=jpegs["coffee"], headers=PATIENT)
                statuses.add(response.status_code)
            except httpx.TransportError:
                return statuses

    with RunningServer() as server:
        loads = [pool.submit(load, server.url) for _ in range(clients)]
        begun.wait()
        assert httpx.post(f"{server.url}/v1/predict", content=jpegs["coffee"]).status_code == 200
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert set().union(*(each.result() for each in loads)) <= {200, 503}
        assert_no_error(server)


def test_refused_clients_in_mid_upload_are_no_error_at_the_stop(jpegs):
    """Bug: those that the server still read from were cancelled, each with a traceback."""
    image = jpegs["coffee"]
    patience = ["--set", "body.timeout_ms=60000", "--set", "body.linger_ms=60000"]
    with contextlib.ExitStack() as connections, RunningServer(*patience) as server:

        def connect() -> RawConnection:
            return connections.enter_context(RawConnection(server.address))

        held = connect()
        held.send(head(len(image)) + image[:1_000])
        while httpx.get(f"{server.url}/health/ready").status_code != 200:
            pass
        server.signal(signal.SIGTERM)
        while httpx.post(f"{server.url}/v1/predict").status_code != 503:
            pass
        refused = [connect() for _ in range(32)]
        for connection in refused:
            connection.send(head(len(image)) + image[:1_000])
            assert connection.answer(b"POST")[0] == 503
        begin = time.monotonic()
        held.send(image[1_000:])
        assert held.answer(b"POST")[0] == 200
        assert server.wait() == 0
        assert time.monotonic() - begin < 20  # not as long as they may linger
        assert_no_error(server)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_idle_and_half_open_connections_do_not_delay_the_end(number):
    with (
        RunningServer() as server,
        RawConnection(server.address) as idle,
        RawConnection(server.address) as half,
    ):
        idle.send(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.answer()[0] == 200
        half.send(b"POST /v1/predict HT")
        begin = time.monotonic()
        server.signal(number)
        assert server.wait() == 0
        assert time.monotonic() - begin < 10


def test_a_second_signal_ends_the_server_at_once(jpegs, pool):
    with RunningServer(*HOLDS_REQUESTS, "--max-in-flight", str(SLOTS)) as server:
        waiting = fill(server, jpegs["coffee"], pool)
        while True:
            server.signal(signal.SIGTERM)
            try:
                code = server.process.wait(0.05)
                break
            except subprocess.TimeoutExpired:
                pass
        assert code == 128 + signal.SIGTERM
        assert "ending at once" in server.log
        assert all(isinstance(future.exception(), httpx.TransportError) for future in waiting)


def test_a_drain_that_takes_too_long_is_cut(jpegs, pool):
    limits = ["--max-in-flight", str(SLOTS), "--set", "server.drain_timeout_ms=300"]
    with RunningServer(*HOLDS_REQUESTS, *limits) as server:
        waiting = fill(server, jpegs["coffee"], pool)
        assert server.stop() == 1
        assert f"{SLOTS} requests did not finish in time" in server.log
        assert "Traceback" not in server.log
        assert server.log.count("ERROR") == 1
        assert all(future.done() or future.exception() for future in waiting)


def test_a_slow_upload_does_not_outlive_the_drain():
    settings = ["--set", "body.timeout_ms=400"]
    with RunningServer(*settings) as server, RawConnection(server.address) as slow:
        slow.send(head(9) + b"ab")
        while httpx.get(f"{server.url}/health/live").status_code != 200:
            pass
        server.signal(signal.SIGTERM)
        status, _, _ = slow.answer(b"POST")
        assert status in (408, 503)
        assert server.wait() == 0
