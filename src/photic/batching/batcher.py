"""The worker threads: each asks what to do, does it, and asks again.

One lock guards the queues, the ready rows and the pools (``dispatcher``); it is held for
microseconds, never during a stage, a wake-up or a delivery. No stage waits for another: a decode
that finds no room is set aside (docs/adr/0010-other-formats-share-pixels.md) and comes back when a
task, of whatever lane, has left some.
"""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Generic

from msgspec import Struct

from photic.batching.clock import Clock
from photic.batching.dispatcher import Dispatcher, Worker
from photic.batching.lane import JobT, Lane, ResultT
from photic.batching.lane_state import LaneCounts
from photic.batching.task import Deliver, Task
from photic.errors import InferenceFailed, StartUpError, Unavailable
from photic.thread_names import name_this_thread

__all__ = ["Batcher", "WorkerHealth"]

_log = logging.getLogger(__name__)

MAX_CRASHES = 3
"""Crashes of the batcher itself without a task done in between, after which it gives up."""


class WorkerHealth(Struct, frozen=True):
    """How the worker threads are."""

    alive: int
    expected: int
    crashes: int
    """Times that the batcher itself (not a stage) failed since a task was last done."""

    @property
    def healthy(self) -> bool:
        """All threads run."""
        return self.alive == self.expected


class Batcher(Generic[JobT, ResultT]):
    """Runs the jobs of some lanes on one pool of worker threads.

    Args:
        lanes: The models; they share the threads, earliest deadline first.
        workers: How many threads.
        clock: The time.
        deliver: Takes the outcomes of a batch home; called on a worker thread.
    """

    def __init__(
        self,
        lanes: Sequence[Lane[JobT, ResultT]],
        *,
        workers: int,
        clock: Clock,
        deliver: Deliver[JobT, ResultT],
    ) -> None:
        self._lock = threading.Lock()
        self._dispatcher = Dispatcher(lanes, workers=workers, deliver=deliver)
        self._clock = clock
        self._deliver = deliver
        self._crashes = 0
        self._threads = [
            threading.Thread(
                target=self._work, args=(worker,), name=f"photic-work-{number}", daemon=True
            )
            for number, worker in enumerate(self._dispatcher.workers)
        ]

    def start(self) -> None:
        """Start the threads.

        Raises:
            StartUpError: The system gives no more threads.
        """
        self._dispatcher.refusal = None
        for thread in self._threads:
            try:
                thread.start()
            except RuntimeError as error:
                self._refuse("a worker thread did not start")
                raise StartUpError(f"cannot start {len(self._threads)} worker threads") from error

    def submit(self, lane: Lane[JobT, ResultT], job: JobT) -> None:
        """Queue a job; its outcome is delivered unless it is abandoned.

        Raises:
            Unavailable: The batcher is not running.
        """
        with self._lock:
            sleeper = self._dispatcher.add(lane, job)
        if sleeper is not None:
            sleeper.signal.put(None)

    def close(self, timeout_s: float, reason: str = "the batcher is closed") -> bool:
        """Fail what no worker holds with Unavailable, let running stages end, join the threads.

        Args:
            timeout_s: How long to wait for the threads, in seconds.
            reason: What is said to those that fail, and to those that come later.

        Returns:
            Whether all threads ended within ``timeout_s``.
        """
        self._refuse(reason)
        end_s = time.monotonic() + timeout_s
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, end_s - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def health(self) -> WorkerHealth:
        """How the worker threads are."""
        alive = sum(thread.is_alive() for thread in self._threads)
        return WorkerHealth(alive, len(self._threads), self._crashes)

    def counts(self, lane: Lane[JobT, ResultT]) -> LaneCounts:
        """Totals of one lane."""
        with self._lock:
            return self._dispatcher.counts(lane)

    def _work(self, worker: Worker[JobT, ResultT]) -> None:
        """The body of a worker thread."""
        name_this_thread(threading.current_thread().name)
        while True:
            try:
                while self._do_next_task(worker):
                    pass
            except BaseException as error:  # noqa: BLE001 -- no stage raises: a bug of the batcher
                if not self._recover(worker, error):
                    return
            else:
                return

    def _do_next_task(self, worker: Worker[JobT, ResultT]) -> bool:
        """Do one task; False means the end. An idle worker keeps no reference to its last one."""
        task = self._next_task(worker)
        if task is None:
            return False
        task.perform(self._clock)
        return True

    def _next_task(self, worker: Worker[JobT, ResultT]) -> Task[JobT] | None:
        """Settle the worker's last task and take its next one; None means the end.

        Both under one hold of the lock: at batches of one, the worker that decoded a row is the
        one that infers it, while the row is still in its cache.
        """
        while True:
            with self._lock:
                now_ns = self._clock.now_ns()
                if self._dispatcher.settle(worker, now_ns):
                    self._crashes = 0
                turn = self._dispatcher.turn(worker, now_ns)
            if turn.helper is not None:
                turn.helper.signal.put(None)
            if turn.dropped:
                self._deliver(turn.dropped)
            if worker.task is not None or turn.ends:
                return worker.task
            if turn.sleeps:
                self._clock.wait(worker.signal, turn.until_ns)

    def _recover(self, worker: Worker[JobT, ResultT], error: BaseException) -> bool:
        """Fail what the worker held; whether it should go on."""
        _log.critical("the batcher failed", exc_info=error)
        with self._lock:
            task, worker.task = worker.task, None
            if task is not None:
                task.release_rows()
            self._crashes += 1
            crashes = self._crashes
        if task is not None:
            self._deliver([(job, InferenceFailed("the batcher failed")) for job in task.jobs])
        if crashes >= MAX_CRASHES:
            self._refuse(f"the batcher failed {crashes} times in a row")
        return crashes < MAX_CRASHES

    def _refuse(self, reason: str) -> None:
        """From now on refuse jobs, fail those that no worker holds, and let the workers end."""
        with self._lock:
            jobs, sleepers = self._dispatcher.refuse(reason)
        for sleeper in sleepers:
            sleeper.signal.put(None)
        if jobs:
            self._deliver([(job, Unavailable(reason)) for job in jobs])
