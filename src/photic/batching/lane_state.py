"""What the batcher knows about one lane: its queue, its ready rows, its counts."""

from bisect import insort
from itertools import count
from typing import Any, Generic, NamedTuple

from msgspec import Struct

from photic.batching.clock import NEVER_NS
from photic.batching.lane import JobT, Lane, ResultT
from photic.batching.policy import LaneView
from photic.batching.row_pool import RowPool
from photic.batching.set_aside import SetAside
from photic.batching.work_queue import QueueEntry, WorkQueue, is_dead
from photic.errors import DecodeDeferred

__all__ = ["LaneCounts", "LaneState", "ReadyRow"]


class LaneCounts(Struct, frozen=True, kw_only=True):
    """Totals of one lane since the start."""

    batch_sizes: tuple[int, ...]
    """``batch_sizes[n]``: batches of n rows that were inferred."""
    alone: int
    """Rows among them that ran alone, on all cores."""
    expired: int
    """Jobs dropped because their deadline had passed, before decode or before inference."""
    abandoned: int
    """Jobs dropped because nobody waited for them any more."""


class ReadyRow(NamedTuple):
    """A decoded row that waits to be inferred; sorts by deadline, then by arrival."""

    deadline_ns: int
    sequence: int
    row: int
    ready_ns: int
    job: Any


class LaneState(Generic[JobT, ResultT]):
    """Guarded by the batcher's lock, as are all its methods."""

    def __init__(
        self, lane: Lane[JobT, ResultT], *, workers: int, set_aside: SetAside[JobT]
    ) -> None:
        self.lane = lane
        self._set_aside = set_aside
        self.queue: WorkQueue[JobT] = WorkQueue()
        # One batch per worker is all that can be in use; one more keeps rows of a batch neighbours.
        rows = (workers + 1) * lane.preferred_batch
        self.rows = RowPool(rows, lane.row_shape, lane.row_dtype)
        self._ready: list[ReadyRow] = []
        self._sequence = count()
        self._decode_ns = 0
        self._infer_ns = lane.expected_infer_ns
        self._batch_sizes = [0] * (lane.preferred_batch + 1)
        self._alone = 0
        self._expired = 0
        self._abandoned = 0

    def view(self) -> LaneView:
        """What the policy needs to know."""
        ready = self._ready
        return LaneView(
            preferred_batch=self.lane.preferred_batch,
            waiting=len(self.queue),
            waiting_deadline_ns=self.queue.deadline_ns,
            ready=len(ready),
            ready_deadline_ns=ready[0].deadline_ns if ready else NEVER_NS,
            ready_since_ns=min((row.ready_ns for row in ready), default=NEVER_NS),
            free_rows=self.rows.free,
            max_queue_delay_ns=self.lane.max_queue_delay_ns,
            service_ns=self._decode_ns + self._infer_ns,
            runs_alone=self.lane.runs_alone,
        )

    def counts(self) -> LaneCounts:
        """The totals so far."""
        return LaneCounts(
            batch_sizes=tuple(self._batch_sizes),
            alone=self._alone,
            expired=self._expired,
            abandoned=self._abandoned,
        )

    def add_ready(self, job: JobT, row: int, *, now_ns: int, decode_ns: int) -> None:
        """A row was decoded."""
        self._decode_ns = _smoothed(self._decode_ns, decode_ns)
        insort(self._ready, ReadyRow(job.deadline_ns, next(self._sequence), row, now_ns, job))

    def defer(self, entry: QueueEntry[JobT], deferral: DecodeDeferred) -> None:
        """A body cannot be decoded now: the policy must not see it until it can."""
        self._set_aside.add(self.queue, entry, deferral)

    def take_ready(self, number: int, *, alone: bool) -> list[ReadyRow]:
        """The rows whose deadlines come first, in the order of their memory."""
        taken = self._ready[:number]
        del self._ready[:number]
        self._batch_sizes[number] += 1
        self._alone += alone
        return sorted(taken, key=lambda row: row.row)

    def add_inference(self, infer_ns: int) -> None:
        """A batch was inferred, not alone: the policy plans for when there is more to do."""
        self._infer_ns = _smoothed(self._infer_ns, infer_ns)

    def drop_dead(self, now_ns: int) -> list[JobT]:
        """Drop dead jobs before any (more) CPU is spent on them; return those that expired."""
        dead = self.queue.drop_dead(now_ns)
        for entry in [row for row in self._ready if is_dead(row.job, now_ns)]:
            self._ready.remove(entry)
            self.rows.release(entry.row)
            dead.append(entry.job)
        expired = [job for job in dead if not job.abandoned]
        self._expired += len(expired)
        self._abandoned += len(dead) - len(expired)
        return expired

    def clear(self) -> list[JobT]:
        """Give up everything that no worker holds; return the jobs."""
        jobs = self.queue.clear()
        for entry in self._ready:
            self.rows.release(entry.row)
            jobs.append(entry.job)
        self._ready.clear()
        return jobs


def _smoothed(average: int, latest: int) -> int:
    """Exponential moving average over about the last eight."""
    return latest if average == 0 else average + (latest - average) // 8
