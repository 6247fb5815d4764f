"""More than fits: slow clients, idle ones, too many at once."""

import contextlib
import time

import httpx

from raw_http import RawConnection, hold
from running_server import HOLDS_REQUESTS, RunningServer

SLOW_HEAD = (
    b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nX-Request-Timeout-Ms: 60000\r\n"
    b"Content-Length: 1000000\r\n\r\nab"
)


def test_more_than_the_slots_are_refused_at_once(jpegs):
    image = jpegs["coffee"]
    whole = SLOW_HEAD.replace(b"1000000", b"%d" % len(image))[:-2] + image
    with RunningServer(*HOLDS_REQUESTS, "--max-in-flight", "1") as server:

        def ask() -> httpx.Response:
            return httpx.post(f"{server.url}/v1/predict", content=b"")

        with hold(server.address, whole, lambda: ask().status_code == 429):
            refused = ask()
            assert (refused.status_code, refused.json()["code"]) == (429, "overloaded")
            assert "1 slots" in refused.json()["detail"]
            assert refused.headers["retry-after"] == "1"
            assert httpx.get(f"{server.url}/health/ready").status_code == 200


def test_bytes_in_flight_are_limited(jpegs):
    limits = ["--max-body-bytes", "1000000", "--set", "admission.max_in_flight_bytes=1500000"]
    # However long the machine takes, the slow body is not cut before the questions are asked.
    patience = ["--set", "body.timeout_ms=60000", "--set", "body.stall_ms=60000"]
    image = jpegs["coffee"]
    big = image + b"\0" * (900_000 - len(image))
    with RunningServer(*limits, *patience) as server:

        def ask(content: bytes) -> httpx.Response:
            return httpx.post(f"{server.url}/v1/predict", content=content, timeout=30)

        with hold(server.address, SLOW_HEAD, lambda: ask(big).status_code == 429):
            assert "1500000" in ask(big).json()["detail"]
            assert ask(image).status_code == 200


def test_slow_bodies_do_not_keep_others_out(jpegs):
    """Bug report B15: sockets that trickle their bodies, photos beside them."""
    with RunningServer("--max-in-flight", "8") as server, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(RawConnection(server.address)) for _ in range(40)]
        for connection in slow[:8]:
            connection.send(SLOW_HEAD)
        statuses = []
        while statuses.count(200) < 20:
            response = httpx.post(f"{server.url}/v1/predict", content=jpegs["coffee"])
            statuses.append(response.status_code)
            for connection in slow[8 + len(statuses) :][:1]:
                connection.send(SLOW_HEAD)
        assert set(statuses) <= {200, 429}
        first_good = statuses.index(200)
        assert statuses[first_good:].count(429) <= len(slow)
        status, _, body = slow[0].answer(b"POST")
        assert (status, b"paused for longest" in body) == (408, True)


def test_a_slow_body_is_told_so_in_time():
    with RunningServer("--set", "body.timeout_ms=300") as server:
        with RawConnection(server.address) as slow:
            begin = time.monotonic()
            slow.send(SLOW_HEAD)
            status, headers, body = slow.answer(b"POST")
            assert 0.3 <= time.monotonic() - begin < 5
        assert status == 408
        assert headers["content-type"] == "application/problem+json"
        assert b"2 of 1000000 bytes had arrived after 300 ms" in body


def test_slow_headers_are_cut_in_time():
    with (
        RunningServer("--set", "server.header_timeout_ms=400") as server,
        RawConnection(server.address) as slow,
        RawConnection(server.address) as idle,
    ):
        slow.send(b"POST /v1/predict HTTP/1.1\r\nHo")
        idle.send(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.answer()[0] == 200
        begin = time.monotonic()
        assert slow.is_closed()
        assert idle.is_closed()
        assert time.monotonic() - begin < 5


def test_idle_connections_do_not_starve_the_probes(running):
    """By its default, Granian would take about a thousand."""
    with contextlib.ExitStack() as stack:
        for _ in range(1_500):
            connection = stack.enter_context(RawConnection(running.address))
            connection.send(b"GET /health/live HTTP/1.1\r\n")
        begin = time.monotonic()
        assert httpx.get(f"{running.url}/health/live", timeout=5).status_code == 200
        assert time.monotonic() - begin < 1


def test_few_open_files_are_enough():
    """With a tight limit on files, connections wait in the kernel instead of failing."""
    tight = ("sh", "-c", 'ulimit -n 128 && exec "$@"', "sh")
    with RunningServer(prefix=tight) as server, contextlib.ExitStack() as idle:
        assert "at most 64 connections: the limit on open files is 128" in server.log
        for _ in range(100):
            idle.enter_context(RawConnection(server.address)).send(b"GET / HTTP/1.1\r\n")
        with RawConnection(server.address) as probe:
            probe.send(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            idle.close()
            assert probe.answer()[0] == 200
        assert server.stop() == 0
        assert "Too many open files" not in server.log
