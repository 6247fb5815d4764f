"""An await that can be broken off from outside."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["Interrupted", "Interruptible"]

T = TypeVar("T")


class Interrupted(Exception):
    """Somebody called ``interrupt``."""


class Interruptible:
    """One await, which others end early by cancelling its task; the cancellation goes no further.

    ``asyncio.timeout`` does as much for a time limit alone, at six times the cost
    (docs/adr/0008-the-path-around.md).
    """

    __slots__ = ("_interrupted", "_task")

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self._interrupted = False

    def interrupt(self) -> None:
        """End ``run`` with Interrupted; does nothing before it began and once it is over."""
        if self._task is not None and not self._interrupted:
            self._interrupted = True
            self._task.cancel()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Await ``work``; once.

        Raises:
            Interrupted: ``interrupt`` was called. ``work`` was cancelled.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("only a task can be interrupted")
        already = task.cancelling()
        self._task = task
        try:
            return await work
        except asyncio.CancelledError:
            if not self._interrupted or task.uncancel() > already:  # somebody else cancelled
                raise
            raise Interrupted from None
        finally:
            self._task = None
