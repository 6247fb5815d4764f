"""What a worker does outside the lock: decode one body, or infer one batch."""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol

from numpy.typing import NDArray

from photic.batching.clock import Clock
from photic.batching.lane import JobT, ResultT
from photic.batching.lane_state import LaneState, ReadyRow
from photic.batching.work_queue import QueueEntry
from photic.errors import DecodeDeferred, InferenceFailed, RequestError
from photic.stages import Stage

__all__ = ["DecodeTask", "Deliver", "InferTask", "Task"]

_log = logging.getLogger(__name__)

Deliver = Callable[[Sequence[tuple[JobT, ResultT | RequestError]]], None]
"""Takes the outcomes of some jobs home; called on a worker thread, once per batch."""


class Task(Protocol[JobT]):
    """One step of work on one lane."""

    @property
    def jobs(self) -> list[JobT]:
        """The jobs that this task holds."""
        ...

    def perform(self, clock: Clock) -> None:
        """Do it, outside the lock; a failing stage fails its jobs and does not raise."""
        ...

    def settle(self, now_ns: int) -> None:
        """Write what came of it to the lane, under the lock."""
        ...

    def release_rows(self) -> None:
        """Give the rows back, under the lock."""
        ...


class DecodeTask(Generic[JobT, ResultT]):
    """From bytes to a ready row."""

    def __init__(
        self,
        lane: LaneState[JobT, ResultT],
        entry: QueueEntry[JobT],
        row: int,
        deliver: Deliver[JobT, ResultT],
    ) -> None:
        self.jobs = [entry.job]
        self._lane, self._entry, self._row, self._deliver = lane, entry, row, deliver
        self._job = entry.job
        self._duration_ns = 0
        self._failed = False
        self._deferral: DecodeDeferred | None = None

    def perform(self, clock: Clock) -> None:
        """Decode the body into the row, if there is room to."""
        begin_ns = clock.now_ns()
        self._job.timeline.end(Stage.QUEUE, begin_ns)
        failure: RequestError | None = None
        try:
            self._lane.lane.decode(self._job, self._lane.rows.row(self._row))
        except DecodeDeferred as deferral:
            self._deferral = deferral
            self._job.timeline.reopen(Stage.QUEUE)
            return
        except BaseException as error:  # noqa: BLE001 -- whatever it is, it fails this job only
            failure = _request_error(error)
        end_ns = clock.now_ns()
        self._job.timeline.end(Stage.DECODE, end_ns)
        self._duration_ns = end_ns - begin_ns
        if failure is not None:
            self._failed = True
            self._deliver([(self._job, failure)])

    def settle(self, now_ns: int) -> None:
        """The row is ready, or free again."""
        if self._deferral is not None:
            self.release_rows()
            self._lane.defer(self._entry, self._deferral)
        elif self._failed:
            self.release_rows()
        else:
            lane = self._lane
            lane.add_ready(self._job, self._row, now_ns=now_ns, decode_ns=self._duration_ns)

    def release_rows(self) -> None:
        """Give the row back."""
        self._lane.rows.release(self._row)


class InferTask(Generic[JobT, ResultT]):
    """From ready rows to outcomes."""

    def __init__(
        self,
        lane: LaneState[JobT, ResultT],
        batch: list[ReadyRow],
        buffer: NDArray[Any] | None,
        deliver: Deliver[JobT, ResultT],
        *,
        alone: bool,
    ) -> None:
        self.jobs: list[JobT] = [entry.job for entry in batch]
        self._lane, self._buffer, self._deliver = lane, buffer, deliver
        self._rows = [entry.row for entry in batch]
        self._alone = alone
        self._duration_ns = 0

    def perform(self, clock: Clock) -> None:
        """Run the batch and take the outcomes home."""
        begin_ns = clock.now_ns()
        for job in self.jobs:
            job.timeline.end(Stage.BATCH_WAIT, begin_ns)
        outcomes = self._run()
        self._duration_ns = clock.now_ns() - begin_ns
        self._deliver(list(zip(self.jobs, outcomes, strict=True)))

    def _run(self) -> Sequence[ResultT | RequestError]:
        try:
            batch = self._lane.rows.gather(self._rows, self._buffer)
            outcomes = self._lane.lane.run(self.jobs, batch, alone=self._alone)
        except BaseException as error:  # noqa: BLE001 -- whatever it is, it fails this batch only
            detail = _failure_detail(error, Stage.INFER)
        else:
            if len(outcomes) == len(self.jobs):
                return outcomes
            detail = f"the model gave {len(outcomes)} results for {len(self.jobs)} images"
        # An error object each: raising one in several tasks would mix their tracebacks.
        return [InferenceFailed(detail) for _ in self.jobs]

    def settle(self, now_ns: int) -> None:  # noqa: ARG002 -- as Task has it
        """The rows are free again."""
        if not self._alone:
            self._lane.add_inference(self._duration_ns)
        self.release_rows()

    def release_rows(self) -> None:
        """Give the rows back."""
        for row in self._rows:
            self._lane.rows.release(row)


def _request_error(error: BaseException) -> RequestError:
    if isinstance(error, RequestError):
        return error.with_traceback(None)  # its frames would keep the body alive
    return InferenceFailed(_failure_detail(error, Stage.DECODE))


def _failure_detail(error: BaseException, stage: Stage) -> str:
    """What the client is told of an error; the log has the rest."""
    if isinstance(error, RequestError):
        return error.detail
    _log.error("%s failed", stage.label, exc_info=error)
    return f"{stage.label} failed with {type(error).__name__}"
