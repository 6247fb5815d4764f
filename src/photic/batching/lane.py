"""What the batcher asks of its jobs and of its lanes (one lane per model)."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from photic.errors import RequestError
from photic.stages import Timeline

__all__ = ["Job", "JobT", "Lane", "ResultT"]


class Job(Protocol):
    """One request, as far as the batcher is concerned."""

    deadline_ns: int
    timeline: Timeline

    @property
    def abandoned(self) -> bool:
        """Nobody waits for the answer any more; any thread may read it at any time."""
        ...


JobT = TypeVar("JobT", bound=Job)
ResultT = TypeVar("ResultT")
JobT_contra = TypeVar("JobT_contra", bound=Job, contravariant=True)
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Lane(Protocol[JobT_contra, ResultT_co]):
    """One model: the work that its jobs need. Several worker threads call it at once."""

    @property
    def name(self) -> str:
        """For log lines."""
        ...

    @property
    def preferred_batch(self) -> int:
        """Rows that leave together when there is backlog; no batch is larger."""
        ...

    @property
    def max_queue_delay_ns(self) -> int:
        """How long a ready row may wait for company while a worker is idle."""
        ...

    @property
    def expected_infer_ns(self) -> int:
        """How long a batch took in the warm-up; measured anew from the first one on."""
        ...

    @property
    def runs_alone(self) -> bool:
        """Whether ``run`` has a faster way for one row that may take all cores."""
        ...

    @property
    def row_shape(self) -> tuple[int, ...]:
        """Shape of one row."""
        ...

    @property
    def row_dtype(self) -> np.dtype[Any]:
        """Element type of a row."""
        ...

    def decode(self, job: JobT_contra, row: NDArray[Any]) -> None:
        """Write the job's input to ``row`` (``row_shape``, uninitialised), or raise.

        It never waits for what other decodes hold, such as memory: it raises ``DecodeDeferred``,
        and is called again, with any row, when there is room.
        """
        ...

    def run(
        self, jobs: Sequence[JobT_contra], rows: NDArray[Any], *, alone: bool
    ) -> Sequence[ResultT_co | RequestError]:
        """Infer and postprocess.

        Args:
            jobs: One or more, at most ``preferred_batch``.
            rows: [len(jobs), *row_shape], C-contiguous; ``rows[i]`` belongs to ``jobs[i]``.
            alone: One row and nothing else to do: all cores are free. Only if ``runs_alone``.

        Returns:
            For each job its result, or why it alone failed. Raising fails all of them.
        """
        ...
