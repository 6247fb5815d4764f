"""The stages of a request, named once: ``Server-Timing`` and log lines use these names."""

from enum import IntEnum
from typing import Final

__all__ = ["Stage", "Timeline"]


class Stage(IntEnum):
    """The stages of a request, in the order in which it passes them."""

    ADMIT = 0
    RECEIVE = 1
    QUEUE = 2
    DECODE = 3
    BATCH_WAIT = 4
    INFER = 5
    POSTPROCESS = 6
    RESPOND = 7

    @property
    def label(self) -> str:
        """The stage's public name, such as ``batch_wait``."""
        return self.name.lower()


_IN_ORDER: Final = tuple(Stage)  # iterating over an enumeration is slow, and every request does
_NONE_ENDED: Final[tuple[int | None, ...]] = (None,) * len(_IN_ORDER)


class Timeline:
    """When each stage of one request ended, in integer nanoseconds of one monotonic clock.

    A stage begins where the one before it ended, so the stages sum up to the whole.
    """

    __slots__ = ("_ends_ns", "start_ns")

    def __init__(self, start_ns: int) -> None:
        self.start_ns = start_ns
        self._ends_ns: list[int | None] = list(_NONE_ENDED)

    def end(self, stage: Stage, now_ns: int) -> None:
        """Record that ``stage`` ended at ``now_ns``."""
        self._ends_ns[stage] = now_ns

    def reopen(self, stage: Stage) -> None:
        """``stage`` goes on after all: nothing came of the one that followed."""
        self._ends_ns[stage] = None

    def durations_ns(self) -> list[tuple[Stage, int]]:
        """The finished stages with their durations in nanoseconds, in order."""
        durations: list[tuple[Stage, int]] = []
        begin_ns = self.start_ns
        for stage, end_ns in zip(_IN_ORDER, self._ends_ns, strict=True):
            if end_ns is not None:
                durations.append((stage, end_ns - begin_ns))
                begin_ns = end_ns
        return durations
