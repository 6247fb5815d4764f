"""The bodies of one lane that wait to be decoded."""

import heapq
from itertools import count
from typing import Generic

from photic.batching.clock import NEVER_NS
from photic.batching.lane import Job, JobT
from photic.errors import DeadlineExceeded

__all__ = ["WorkQueue", "deadline_exceeded", "is_dead"]


def is_dead(job: Job, now_ns: int) -> bool:
    """Nobody waits for the answer, or it would come too late."""
    return job.abandoned or now_ns >= job.deadline_ns


def deadline_exceeded(job: Job) -> DeadlineExceeded:
    """The error of a job whose deadline has passed."""
    deadline_ms = (job.deadline_ns - job.timeline.start_ns) / 1e6
    return DeadlineExceeded(f"the answer was not ready within the deadline of {deadline_ms:.0f} ms")


class WorkQueue(Generic[JobT]):
    """Earliest deadline first, then first come. Not thread-safe: the batcher's lock guards it."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, JobT]] = []
        self._sequence = count()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def deadline_ns(self) -> int:
        """The earliest deadline, or NEVER_NS."""
        return self._heap[0][0] if self._heap else NEVER_NS

    def push(self, job: JobT) -> None:
        """Add a job."""
        heapq.heappush(self._heap, (job.deadline_ns, next(self._sequence), job))

    def drop_dead(self, now_ns: int) -> list[JobT]:
        """Remove dead jobs from the head, so that the next ``pop`` yields a live one."""
        dropped: list[JobT] = []
        while self._heap and is_dead(self._heap[0][2], now_ns):
            dropped.append(heapq.heappop(self._heap)[2])
        return dropped

    def pop(self) -> JobT:
        """Remove the first job and return it.

        Raises:
            IndexError: The queue is empty.
        """
        return heapq.heappop(self._heap)[2]

    def clear(self) -> list[JobT]:
        """Remove all jobs and return them."""
        jobs = [job for _, _, job in sorted(self._heap, key=lambda entry: entry[:2])]
        self._heap.clear()
        return jobs
