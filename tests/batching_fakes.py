"""A clock that tests move by hand, and jobs and lanes that record what the batcher does to them."""

import threading
from collections.abc import Callable

import numpy as np

from photic.batching.batcher import Batcher
from photic.batching.clock import NEVER_NS, Signal
from photic.stages import Timeline

PATIENCE_S = 10.0
"""How long a test waits for something that must happen; only a failing test waits so long."""


class HandClock:
    """Time stands still until a test moves it."""

    def __init__(self, now_ns: int = 0) -> None:
        self._now_ns = now_ns
        self._changed = threading.Condition()
        self._alarms: list[tuple[int | None, Signal]] = []

    def now_ns(self) -> int:
        return self._now_ns

    def wait(self, signal: Signal, until_ns: int | None) -> None:
        alarm = (until_ns, signal)
        with self._changed:
            if until_ns is not None and until_ns <= self._now_ns:
                return
            self._alarms.append(alarm)
            self._changed.notify_all()
        signal.get()
        with self._changed:
            self._alarms.remove(alarm)
            self._changed.notify_all()

    def advance(self, by_ns: int) -> None:
        """Move the time, and wake the threads whose time has come."""
        with self._changed:
            self._now_ns += by_ns
            for until_ns, signal in self._alarms:
                if until_ns is not None and until_ns <= self._now_ns:
                    signal.put(None)

    def await_alarm(self, until_ns: int | None) -> None:
        """Wait until a thread waits for exactly that time."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: any(until == until_ns for until, _ in self._alarms), PATIENCE_S
            ), f"nobody waits until {until_ns}"


class FakeJob:
    """A job that knows its outcome."""

    def __init__(self, number: int = 0, *, deadline_ns: int = NEVER_NS) -> None:
        self.number = number
        self.deadline_ns = deadline_ns
        self.timeline = Timeline(0)
        self.abandoned = False
        self.outcome: object = None
        self._settled = threading.Event()

    def settle(self, outcome: object) -> None:
        assert not self._settled.is_set(), "a second outcome"
        self.outcome = outcome
        self._settled.set()

    @property
    def settled(self) -> bool:
        return self._settled.is_set()

    def result(self) -> object:
        """The outcome, as soon as it is there."""
        assert self._settled.wait(PATIENCE_S), f"no outcome for job {self.number}"
        return self.outcome


class FakeLane:
    """Writes a job's number to its row, and makes of a row what it finds there.

    ``on_decode`` and ``on_run`` are called first, on the worker's thread, to block or to raise.
    """

    def __init__(
        self,
        *,
        preferred_batch: int = 1,
        max_queue_delay_ns: int = 0,
        expected_infer_ns: int = 0,
        runs_alone: bool = False,
        on_decode: Callable[[FakeJob], object] = lambda _: None,
        on_run: Callable[[list[FakeJob]], object] = lambda _: None,
        name: str = "fake",
    ) -> None:
        self.name = name
        self.preferred_batch = preferred_batch
        self.max_queue_delay_ns = max_queue_delay_ns
        self.expected_infer_ns = expected_infer_ns
        self.runs_alone = runs_alone
        self.row_shape = (3, 5)
        self.row_dtype = np.dtype(np.float32)
        self.on_decode = on_decode
        self.on_run = on_run
        self.decoded: list[int] = []
        self.batches: list[list[object]] = []
        self.alone: list[object] = []
        self.threads: dict[int, list[str]] = {}

    def decode(self, job: FakeJob, row: np.ndarray) -> None:
        self._visit(job)
        self.decoded.append(job.number)
        self.on_decode(job)
        row[...] = job.number

    def run(self, jobs: list[FakeJob], rows: np.ndarray, *, alone: bool) -> list[object]:
        assert rows.shape == (len(jobs), *self.row_shape)
        assert rows.flags.c_contiguous
        self.batches.append([job.number for job in jobs])
        if alone:
            self.alone += self.batches[-1]
        for job in jobs:
            self._visit(job)
        self.on_run(jobs)
        assert (rows == rows[:, :1, :1]).all(), "two images in one row"
        return [int(row[0, 0]) for row in rows]

    def _visit(self, job: FakeJob) -> None:
        self.threads.setdefault(job.number, []).append(threading.current_thread().name)


class Gate:
    """Holds the threads that pass, until a test opens it; shows that one has come."""

    def __init__(self) -> None:
        self._arrived = threading.Semaphore(0)
        self._open = threading.Event()

    def __call__(self, _: object) -> None:
        self._arrived.release()
        assert self._open.wait(PATIENCE_S), "the gate stayed shut"

    def await_arrival(self) -> None:
        assert self._arrived.acquire(timeout=PATIENCE_S), "nobody came to the gate"

    def open(self) -> None:
        self._open.set()


class Running:
    """A started batcher, and what it delivered: one entry per call."""

    def __init__(self, *lanes: FakeLane, workers: int = 1) -> None:
        self.clock = HandClock()
        self.deliveries: list[list[FakeJob]] = []
        self.batcher: Batcher[FakeJob, object] = Batcher(
            lanes, workers=workers, clock=self.clock, deliver=self.deliver
        )
        self.batcher.start()

    def deliver(self, outcomes: list[tuple[FakeJob, object]]) -> None:
        self.deliveries.append([job for job, _ in outcomes])
        for job, outcome in outcomes:
            job.settle(outcome)

    def submit(self, lane: FakeLane, *jobs: FakeJob) -> tuple[FakeJob, ...]:
        for job in jobs:
            self.batcher.submit(lane, job)
        return jobs


def jobs(count: int, **options: int) -> list[FakeJob]:
    return [FakeJob(number, **options) for number in range(count)]


def hold(running: Running, lane: FakeLane) -> tuple[Gate, FakeJob]:
    """Occupy one worker with a job that stays in decode until the gate opens."""
    gate, job = Gate(), FakeJob(-1)
    lane.on_decode = lambda seen: gate(seen) if seen is job else None
    running.submit(lane, job)
    gate.await_arrival()
    return gate, job
