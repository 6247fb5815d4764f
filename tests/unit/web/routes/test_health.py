"""Liveness and readiness."""

import pytest

from asgi_call import fetch
from photic.batching.batcher import WorkerHealth
from photic.web.lifecycle import Phase


def statuses(s) -> tuple[int, int]:
    return tuple(fetch(s.app, "GET", f"/health/{probe}").status for probe in ("live", "ready"))


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        (Phase.STARTING, (200, 503)),
        (Phase.SERVING, (200, 200)),
        (Phase.LEAVING, (200, 503)),
        (Phase.DRAINING, (200, 503)),
    ],
)
def test_ready_only_while_serving(serving, phase, expected):
    s = serving()
    s.lifecycle.phase = phase
    assert statuses(s) == expected


def test_a_dead_worker_thread_fails_both(serving):
    s = serving()
    s.service.workers = WorkerHealth(alive=1, expected=2, crashes=0)
    assert statuses(s) == (503, 503)
    reply = fetch(s.app, "GET", "/health/live")
    assert reply.json()["detail"] == "1 of 2 worker threads are alive"
    assert reply.headers["content-type"] == "application/problem+json"


def test_answers(serving):
    assert fetch(serving().app, "GET", "/health/live").json() == {"status": "live"}
    assert fetch(serving().app, "GET", "/health/ready").json() == {"status": "ready"}
