"""From start to close."""

import gc
import threading
import weakref

import pytest

from batching_fakes import PATIENCE_S, FakeJob, FakeLane, HandClock, hold, jobs
from photic.batching.batcher import Batcher
from photic.errors import StartUpError, Unavailable


def test_close_fails_what_is_queued_and_finishes_what_runs(run):
    lane = FakeLane()
    running = run(lane)
    gate, held = hold(running, lane)
    queued = running.submit(lane, *jobs(3))
    closing = threading.Thread(target=running.batcher.close, args=(PATIENCE_S,))
    closing.start()
    assert all(isinstance(job.result(), Unavailable) for job in queued)
    gate.open()
    assert held.result() == -1
    closing.join(PATIENCE_S)
    assert running.batcher.health().alive == 0
    with pytest.raises(Unavailable, match="the batcher is closed"):
        running.submit(lane, FakeJob())


def test_close_wakes_sleeping_workers_and_may_be_repeated(run):
    running = run(FakeLane(), workers=2)
    running.clock.await_alarm(None)
    assert running.batcher.close(PATIENCE_S)
    assert running.batcher.close(PATIENCE_S)


def test_close_says_when_a_worker_does_not_end(run):
    lane = FakeLane()
    running = run(lane)
    gate, _ = hold(running, lane)
    assert not running.batcher.close(timeout_s=0.0)
    gate.open()


def test_before_the_start_it_refuses_and_can_be_closed():
    lane = FakeLane()
    batcher: Batcher[FakeJob, object] = Batcher([lane], workers=1, clock=HandClock(), deliver=list)
    with pytest.raises(Unavailable, match="not started"):
        batcher.submit(lane, FakeJob())
    assert batcher.close(PATIENCE_S)


def test_threads_that_cannot_be_started_are_a_start_up_error(monkeypatch):
    start, allowed = threading.Thread.start, iter([True])

    def limited(thread):
        if not next(allowed, False):
            raise RuntimeError("can't start new thread")
        start(thread)

    batcher: Batcher[FakeJob, object] = Batcher(
        [FakeLane()], workers=3, clock=HandClock(), deliver=list
    )
    monkeypatch.setattr(threading.Thread, "start", limited)
    with pytest.raises(StartUpError, match="cannot start 3 worker threads"):
        batcher.start()
    assert batcher.close(PATIENCE_S)
    assert batcher.health().alive == 0


def test_health_counts_the_threads(run):
    health = run(FakeLane(), workers=3).batcher.health()
    assert (health.alive, health.expected, health.crashes) == (3, 3, 0)
    assert health.healthy


def test_an_idle_worker_holds_nothing_of_its_last_job(run):
    lane = FakeLane()
    running = run(lane)
    job = FakeJob(1)
    running.submit(lane, job)
    job.result()
    running.clock.await_alarm(None)
    running.deliveries.clear()
    left = weakref.ref(job)
    del job
    gc.collect()
    assert left() is None
