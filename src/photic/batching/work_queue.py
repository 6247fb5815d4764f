"""The bodies of one lane that wait to be decoded."""

import heapq
from itertools import count
from typing import Generic, NamedTuple

from photic.batching.clock import NEVER_NS
from photic.batching.lane import Job, JobT
from photic.errors import DeadlineExceeded

__all__ = ["QueueEntry", "WorkQueue", "deadline_exceeded", "is_dead"]


def is_dead(job: Job, now_ns: int) -> bool:
    """Nobody waits for the answer, or it would come too late."""
    return job.abandoned or now_ns >= job.deadline_ns


def deadline_exceeded(job: Job) -> DeadlineExceeded:
    """The error of a job whose deadline has passed."""
    deadline_ms = (job.deadline_ns - job.timeline.start_ns) / 1e6
    return DeadlineExceeded(f"the answer was not ready within the deadline of {deadline_ms:.0f} ms")


class QueueEntry(NamedTuple, Generic[JobT]):
    """A job and its place in the queue; the sequence is unique within the queue."""

    deadline_ns: int
    sequence: int
    job: JobT


class WorkQueue(Generic[JobT]):
    """Earliest deadline first, then first come. Not thread-safe: the batcher's lock guards it."""

    def __init__(self) -> None:
        self._heap: list[QueueEntry[JobT]] = []
        self._sequence = count()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def deadline_ns(self) -> int:
        """The earliest deadline, or NEVER_NS."""
        return self._heap[0].deadline_ns if self._heap else NEVER_NS

    def push(self, job: JobT) -> None:
        """Add a job."""
        self.put_back(QueueEntry(job.deadline_ns, next(self._sequence), job))

    def put_back(self, entry: QueueEntry[JobT]) -> None:
        """Give a job its place again that it had before ``pop``."""
        heapq.heappush(self._heap, entry)

    def is_before_all(self, entry: QueueEntry[JobT]) -> bool:
        """Whether a job, put back, would be the next one."""
        return not self._heap or entry < self._heap[0]

    def drop_dead(self, now_ns: int) -> list[JobT]:
        """Remove dead jobs from the head, so that the next ``pop`` yields a live one."""
        dropped: list[JobT] = []
        while self._heap and is_dead(self._heap[0].job, now_ns):
            dropped.append(heapq.heappop(self._heap).job)
        return dropped

    def pop(self) -> QueueEntry[JobT]:
        """Remove the first job and return it with its place.

        Raises:
            IndexError: The queue is empty.
        """
        return heapq.heappop(self._heap)

    def clear(self) -> list[JobT]:
        """Remove all jobs and return them."""
        jobs = [entry.job for entry in sorted(self._heap)]
        self._heap.clear()
        return jobs
