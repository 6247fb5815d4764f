"""Which worker does what next, and which one sleeps: the state of all lanes and of all workers."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic

from msgspec import Struct
from numpy.typing import NDArray

from photic.batching.clock import NEVER_NS, Signal
from photic.batching.lane import JobT, Lane, ResultT
from photic.batching.lane_state import LaneCounts, LaneState
from photic.batching.policy import Action, Decode, Infer, Snapshot, Wait, decide
from photic.batching.set_aside import SetAside
from photic.batching.task import DecodeTask, Deliver, InferTask, Task
from photic.batching.work_queue import deadline_exceeded
from photic.errors import RequestError, Unavailable

__all__ = ["LOOK_AGAIN_NS", "Dispatcher", "Turn", "Worker"]

LOOK_AGAIN_NS = 10_000_000
"""How often an idle worker asks whether there is room for the jobs that were set aside."""


class Worker(Generic[JobT, ResultT]):
    """One thread's own things."""

    def __init__(self, buffers: Sequence[NDArray[Any] | None]) -> None:
        self.signal: Signal = Signal()
        self.task: Task[JobT] | None = None
        self.buffers = buffers


class Turn(Struct, Generic[JobT, ResultT], frozen=True, kw_only=True):
    """What a worker has to do once it has let go of the lock, in this order."""

    helper: Worker[JobT, ResultT] | None = None
    """A sleeper to wake."""
    dropped: Sequence[tuple[JobT, RequestError]] = ()
    """Who must be told that they are given up, and why."""
    sleeps: bool = False
    """Wait for the signal."""
    until_ns: int | None = None
    """The time at which that wait ends without a signal."""
    ends: bool = False
    """The thread is done."""


class Dispatcher(Generic[JobT, ResultT]):
    """Guarded by the batcher's lock, as are all its methods.

    Args:
        lanes: The models.
        workers: How many threads.
        deliver: For the tasks; not called here.
    """

    def __init__(
        self,
        lanes: Iterable[Lane[JobT, ResultT]],
        *,
        workers: int,
        deliver: Deliver[JobT, ResultT],
    ) -> None:
        self.refusal: str | None = "the worker threads are not started yet"
        self._set_aside: SetAside[JobT] = SetAside()
        self._lanes = {
            lane: LaneState(lane, workers=workers, set_aside=self._set_aside) for lane in lanes
        }
        self._states = tuple(self._lanes.values())
        self._deliver = deliver
        self.workers = tuple(self._new_worker() for _ in range(workers))
        self._sleepers: list[Worker[JobT, ResultT]] = []
        self._watcher: Worker[JobT, ResultT] | None = None

    def _new_worker(self) -> Worker[JobT, ResultT]:
        sizes = [state.lane.preferred_batch for state in self._states]
        return Worker(
            [
                state.rows.batch_buffer(size) if size > 1 else None
                for state, size in zip(self._states, sizes, strict=True)
            ]
        )

    def add(self, lane: Lane[JobT, ResultT], job: JobT) -> Worker[JobT, ResultT] | None:
        """Queue a job; a sleeper to wake for it.

        Raises:
            Unavailable: No jobs are taken.
        """
        if self.refusal is not None:
            raise Unavailable(self.refusal)
        self._lanes[lane].queue.push(job)
        return self._sleepers.pop() if self._sleepers else None

    def counts(self, lane: Lane[JobT, ResultT]) -> LaneCounts:
        """Totals of one lane."""
        return self._lanes[lane].counts()

    def refuse(self, reason: str) -> tuple[list[JobT], list[Worker[JobT, ResultT]]]:
        """Take no jobs from now on; those that no worker holds, and the sleepers to wake."""
        self.refusal = reason
        jobs = [job for lane in self._states for job in lane.clear()] + self._set_aside.clear()
        sleepers = self._sleepers[:]
        self._sleepers.clear()
        return jobs, sleepers

    def settle(self, worker: Worker[JobT, ResultT], now_ns: int) -> bool:
        """Write down what came of a worker's last task; whether there was one."""
        if worker in self._sleepers:  # its wait ended by time, not by a signal
            self._sleepers.remove(worker)
        task, worker.task = worker.task, None
        if task is not None:
            task.settle(now_ns)
        return task is not None

    def turn(self, worker: Worker[JobT, ResultT], now_ns: int) -> Turn[JobT, ResultT]:
        """Give a worker its next task, if there is one."""
        dropped = self._drop(now_ns)
        action = decide(self._snapshot(), now_ns)
        worker.task = self._take(worker, action)
        if worker.task is not None:
            return Turn(helper=self._helper(now_ns), dropped=dropped)
        if dropped:  # told first; then it asks again
            return Turn(dropped=dropped)
        if self.refusal is not None:
            return Turn(ends=True)
        return Turn(sleeps=True, until_ns=self._sleep(worker, action, now_ns))

    def _drop(self, now_ns: int) -> list[tuple[JobT, RequestError]]:
        """Drop what no worker should turn to any more; who must be told of it, and what.

        What was set aside comes back here, where it finds room: after every task, whoever held it.
        """
        dropped: list[tuple[JobT, RequestError]] = []
        if self.refusal is None:
            self._set_aside.bring_back(now_ns)
        else:  # a decode that still ran has just been deferred
            dropped += [(job, Unavailable(self.refusal)) for job in self._set_aside.clear()]
        for lane in self._states:
            dropped += [(job, deadline_exceeded(job)) for job in lane.drop_dead(now_ns)]
        return dropped

    def _snapshot(self) -> Snapshot:
        """As a worker without a task sees it."""
        busy = sum(worker.task is not None for worker in self.workers)
        return Snapshot(tuple(lane.view() for lane in self._states), len(self.workers), busy)

    def _take(self, worker: Worker[JobT, ResultT], action: Action) -> Task[JobT] | None:
        match action:
            case Infer(index, count, alone):
                lane = self._states[index]
                batch = lane.take_ready(count, alone=alone)
                return InferTask(lane, batch, worker.buffers[index], self._deliver, alone=alone)
            case Decode(index):
                lane = self._states[index]
                return DecodeTask(lane, lane.queue.pop(), lane.rows.acquire(), self._deliver)
            case Wait():
                return None

    def _sleep(self, worker: Worker[JobT, ResultT], action: Action, now_ns: int) -> int | None:
        """Let a worker sleep; the time until which, or None.

        Room may be held by threads that are not ours (a ``Preprocessor`` of a user), who tell
        nobody when they leave it. So one sleeper looks after the jobs that are set aside.
        """
        until_ns = action.until_ns if isinstance(action, Wait) else None
        watched = not self._set_aside or self._watcher in self._sleepers
        self._sleepers.append(worker)
        if watched:
            return until_ns
        self._watcher = worker
        return min(now_ns + LOOK_AGAIN_NS, NEVER_NS if until_ns is None else until_ns)

    def _helper(self, now_ns: int) -> Worker[JobT, ResultT] | None:
        """A sleeper to wake because a worker that is busy from now on leaves work behind.

        Or leaves a time to watch: a row whose delay ends while it decodes. The sleeper wakes the
        next one in turn.
        """
        if not self._sleepers:
            return None
        self._set_aside.bring_back(now_ns)
        if decide(self._snapshot(), now_ns) == Wait(None):
            return None
        return self._sleepers.pop()
