"""What the batcher itself costs: 1,000 jobs through worker threads whose stages do nothing.

CPU time; ``-k hand_over`` has the same with an event loop and the application around it.
"""

import threading
import time

import pytest

from batching_fakes import FakeJob, FakeLane
from photic.batching.batcher import Batcher
from photic.batching.clock import MONOTONIC

JOBS = 1_000


class Countdown:
    """Tells when so many outcomes were delivered."""

    def __init__(self, wanted: int) -> None:
        self._left = wanted
        self._lock = threading.Lock()
        self.over = threading.Event()

    def deliver(self, outcomes) -> None:
        with self._lock:
            self._left -= len(outcomes)
            if self._left == 0:
                self.over.set()


@pytest.mark.benchmark(group="batcher, CPU of 1,000 jobs", timer=time.process_time)
@pytest.mark.parametrize("preferred", [1, 4])
@pytest.mark.parametrize("workers", [1, 2])
def test_batcher(benchmark, workers, preferred):
    def make():
        lane, countdown = FakeLane(preferred_batch=preferred), Countdown(JOBS)
        batcher = Batcher([lane], workers=workers, clock=MONOTONIC, deliver=countdown.deliver)
        batcher.start()
        return (batcher, lane, [FakeJob(number) for number in range(JOBS)], countdown), {}

    def through(batcher, lane, jobs, countdown):
        for job in jobs:
            batcher.submit(lane, job)
        assert countdown.over.wait(10)

    def close(batcher, _lane, _jobs, _countdown):
        assert batcher.close(10)

    benchmark.pedantic(through, setup=make, teardown=close, rounds=10, warmup_rounds=1)
