"""The one clock of the process, in integer nanoseconds, and how a thread waits on it."""

import queue
import threading
import time
from contextlib import suppress
from typing import Final, Protocol

__all__ = ["MONOTONIC", "NEVER_NS", "Clock", "MonotonicClock", "Signal"]

NEVER_NS: Final = 2**62
"""A time that does not come (146 years after the machine started)."""

Signal = queue.SimpleQueue[None]
"""Wakes one waiting thread: ``put(None)``. One too many only makes its next wait return at once."""


class Clock(Protocol):
    """Time and waiting; tests put a clock here that they move by hand."""

    def now_ns(self) -> int:
        """Nanoseconds since some fixed moment; never goes back."""
        ...

    def wait(self, signal: Signal, until_ns: int | None) -> None:
        """Block until ``signal`` is given or the time is ``until_ns`` (None: only the signal)."""
        ...


class MonotonicClock:
    """The system's monotonic clock: jumps of the wall clock do not touch it."""

    def now_ns(self) -> int:
        """Nanoseconds of ``CLOCK_MONOTONIC``."""
        return time.monotonic_ns()

    def wait(self, signal: Signal, until_ns: int | None) -> None:
        """Block until ``signal`` is given or the time is ``until_ns`` (None: only the signal)."""
        timeout_s: float | None = None
        if until_ns is not None:
            timeout_s = min(max(0, until_ns - self.now_ns()) / 1e9, threading.TIMEOUT_MAX)
        with suppress(queue.Empty):
            signal.get(timeout=timeout_s)


MONOTONIC: Final = MonotonicClock()
