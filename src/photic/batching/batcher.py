"""The worker threads: each asks the policy what to do, does it, and asks again.

One lock guards the queues, the ready rows and the pools; it is held for microseconds, never during
a stage, a wake-up or a delivery. No stage waits for another: a decode that finds no room is set
aside (docs/adr/0010-other-formats-share-pixels.md) and comes back when a task, of whatever lane,
has left some.
"""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any, Generic

from msgspec import Struct
from numpy.typing import NDArray

from photic.batching.clock import NEVER_NS, Clock, Signal
from photic.batching.lane import JobT, Lane, ResultT
from photic.batching.lane_state import LaneCounts, LaneState
from photic.batching.policy import Action, Decode, Infer, Snapshot, Wait, decide
from photic.batching.set_aside import SetAside
from photic.batching.task import DecodeTask, Deliver, InferTask, Task
from photic.batching.work_queue import deadline_exceeded
from photic.errors import InferenceFailed, RequestError, StartUpError, Unavailable

__all__ = ["Batcher", "WorkerHealth"]

_log = logging.getLogger(__name__)

MAX_CRASHES = 3
"""Crashes of the batcher itself without a task done in between, after which it gives up."""

LOOK_AGAIN_NS = 10_000_000
"""How often an idle worker asks whether there is room for the jobs that were set aside."""


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


class Worker(Generic[JobT, ResultT]):
    """One thread's own things."""

    def __init__(self, buffers: Sequence[NDArray[Any] | None]) -> None:
        self.signal: Signal = Signal()
        self.task: Task[JobT] | None = None
        self.buffers = buffers


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
        self._set_aside: SetAside[JobT] = SetAside()
        self._lanes = {
            lane: LaneState(lane, workers=workers, set_aside=self._set_aside) for lane in lanes
        }
        self._states = tuple(self._lanes.values())
        self._clock = clock
        self._deliver = deliver
        self._refusal: str | None = "the worker threads are not started yet"
        self._crashes = 0
        self._workers = [self._new_worker() for _ in range(workers)]
        self._sleepers: list[Worker[JobT, ResultT]] = []
        self._watcher: Worker[JobT, ResultT] | None = None
        self._threads = [
            threading.Thread(
                target=self._work, args=(worker,), name=f"photic-worker-{number}", daemon=True
            )
            for number, worker in enumerate(self._workers)
        ]

    def start(self) -> None:
        """Start the threads.

        Raises:
            StartUpError: The system gives no more threads.
        """
        self._refusal = None
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
            if self._refusal is not None:
                raise Unavailable(self._refusal)
            self._lanes[lane].queue.push(job)
            sleeper = self._sleepers.pop() if self._sleepers else None
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
            return self._lanes[lane].counts()

    def _new_worker(self) -> Worker[JobT, ResultT]:
        sizes = [state.lane.preferred_batch for state in self._states]
        return Worker(
            [
                state.rows.batch_buffer(size) if size > 1 else None
                for state, size in zip(self._states, sizes, strict=True)
            ]
        )

    def _work(self, worker: Worker[JobT, ResultT]) -> None:
        """The body of a worker thread."""
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
                self._settle(worker, now_ns)
                dropped = self._drop(now_ns)
                action = decide(self._snapshot(), now_ns)
                worker.task = self._take(worker, action)
                if isinstance(action, Wait) and not dropped:
                    if self._refusal is not None:
                        return None
                    until_ns = self._sleep(worker, action, now_ns)
                helper = self._helper(worker, now_ns)
            if helper is not None:
                helper.signal.put(None)
            if dropped:
                self._deliver(dropped)
            if worker.task is not None:
                return worker.task
            if isinstance(action, Wait) and not dropped:
                self._clock.wait(worker.signal, until_ns)

    def _settle(self, worker: Worker[JobT, ResultT], now_ns: int) -> None:
        if worker in self._sleepers:  # its wait ended by time, not by a signal
            self._sleepers.remove(worker)
        task, worker.task = worker.task, None
        if task is not None:
            task.settle(now_ns)
            self._crashes = 0

    def _drop(self, now_ns: int) -> list[tuple[JobT, RequestError]]:
        """Drop what no worker should turn to any more; who must be told of it, and what.

        What was set aside comes back here, where it finds room: after every task, whoever held it.
        """
        dropped: list[tuple[JobT, RequestError]] = []
        if self._refusal is None:
            self._set_aside.bring_back(now_ns)
        else:  # a decode that still ran has just been deferred
            dropped += [(job, Unavailable(self._refusal)) for job in self._set_aside.clear()]
        for lane in self._states:
            dropped += [(job, deadline_exceeded(job)) for job in lane.drop_dead(now_ns)]
        return dropped

    def _snapshot(self) -> Snapshot:
        return Snapshot(tuple(lane.view() for lane in self._states))

    def _take(self, worker: Worker[JobT, ResultT], action: Action) -> Task[JobT] | None:
        match action:
            case Infer(index, count):
                lane = self._states[index]
                batch = lane.take_ready(count)
                return InferTask(lane, batch, worker.buffers[index], self._deliver)
            case Decode(index):
                lane = self._states[index]
                return DecodeTask(lane, lane.queue.pop(), lane.rows.acquire(), self._deliver)
            case Wait():
                return None

    def _sleep(self, worker: Worker[JobT, ResultT], wait: Wait, now_ns: int) -> int | None:
        """Let a worker sleep; the time until which, or None.

        Room may be held by threads that are not ours (a ``Preprocessor`` of a user), who tell
        nobody when they leave it. So one sleeper looks after the jobs that are set aside.
        """
        watched = not self._set_aside or self._watcher in self._sleepers
        self._sleepers.append(worker)
        if watched:
            return wait.until_ns
        self._watcher = worker
        return min(now_ns + LOOK_AGAIN_NS, NEVER_NS if wait.until_ns is None else wait.until_ns)

    def _helper(self, worker: Worker[JobT, ResultT], now_ns: int) -> Worker[JobT, ResultT] | None:
        """A sleeper to wake because ``worker``, busy from now on, leaves work behind.

        Or leaves a time to watch: a row whose delay ends while ``worker`` decodes. The sleeper
        wakes the next one in turn.
        """
        if worker.task is None or not self._sleepers:
            return None
        self._set_aside.bring_back(now_ns)
        if decide(self._snapshot(), now_ns) == Wait(None):
            return None
        return self._sleepers.pop()

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
            self._refusal = reason
            jobs = [job for lane in self._states for job in lane.clear()] + self._set_aside.clear()
            sleepers = self._sleepers[:]
            self._sleepers.clear()
        for sleeper in sleepers:
            sleeper.signal.put(None)
        if jobs:
            self._deliver([(job, Unavailable(reason)) for job in jobs])
