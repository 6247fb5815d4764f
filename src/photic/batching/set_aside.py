"""Jobs that there was no room to decode: out of the queues, until there may be room."""

import heapq
from itertools import count
from typing import Generic, NamedTuple

from photic.batching.lane import JobT
from photic.batching.work_queue import QueueEntry, WorkQueue, is_dead
from photic.errors import DecodeDeferred

__all__ = ["SetAside"]


class _Aside(NamedTuple, Generic[JobT]):
    """One job; sorts by deadline, then by arrival."""

    deadline_ns: int
    arrival: int
    number: int
    entry: QueueEntry[JobT]
    queue: WorkQueue[JobT]
    deferral: DecodeDeferred


class SetAside(Generic[JobT]):
    """One line for each room, of all lanes, since the rooms are the process's.

    Only who stands first in a line comes back, so that later, smaller images do not overtake a
    large one. Not thread-safe: the batcher's lock guards it.
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[_Aside[JobT]]] = {}
        self._numbers = count()

    def __len__(self) -> int:
        return sum(len(line) for line in self._lines.values())

    def add(
        self, queue: WorkQueue[JobT], entry: QueueEntry[JobT], deferral: DecodeDeferred
    ) -> None:
        """Set aside a job that came from ``queue``."""
        number = next(self._numbers)
        aside = _Aside(entry.deadline_ns, entry.sequence, number, entry, queue, deferral)
        heapq.heappush(self._lines.setdefault(deferral.room, []), aside)

    def bring_back(self, now_ns: int) -> None:
        """Put back into their queues who finds room now and would be next there, and the dead.

        Of each line one, since room for one is not room for two.
        """
        for line in self._lines.values():
            _put_back_dead(line, now_ns)
            if line and line[0].queue.is_before_all(line[0].entry) and line[0].deferral.has_room():
                first = heapq.heappop(line)
                first.queue.put_back(first.entry)

    def clear(self) -> list[JobT]:
        """Remove all jobs and return them."""
        all_aside = [aside for line in self._lines.values() for aside in sorted(line)]
        self._lines.clear()
        for aside in all_aside:
            aside.deferral.give_up()
        return [aside.entry.job for aside in all_aside]


def _put_back_dead(line: list[_Aside[JobT]], now_ns: int) -> None:
    """Their queues drop and count them; the room must not be kept for them."""
    dead = [aside for aside in line if is_dead(aside.entry.job, now_ns)]
    for aside in dead:
        line.remove(aside)
        aside.deferral.give_up()
        aside.queue.put_back(aside.entry)
    if dead:
        heapq.heapify(line)
