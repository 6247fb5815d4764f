"""A client that hangs up cancels its request."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from litestar.types import Receive

from photic.errors import Abandoned
from photic.web.interruptible import Interrupted, Interruptible

__all__ = ["unless_client_leaves"]

T = TypeVar("T")

_WATCH_AFTER_S: Final = 0.1


async def unless_client_leaves(
    receive: Receive, work: Coroutine[Any, Any, T], *, watch_after_s: float = _WATCH_AFTER_S
) -> T:
    """Await ``work``, and cancel it when the client closes the connection (or its half of it).

    The body must have been read to its end: what ``receive`` says next is that the client left.
    Asking costs a task and two wake-ups, so nobody asks for the first ``watch_after_s`` seconds, in
    which most answers are given; a client that left before is noticed then.

    Raises:
        Abandoned: When the client left before the work was done.
    """
    waiting = Interruptible()
    watch = _Watch(receive, waiting.interrupt)
    alarm = asyncio.get_running_loop().call_later(watch_after_s, watch.begin)
    try:
        return await waiting.run(work)
    except Interrupted:
        raise Abandoned("the client left before its answer was ready") from None
    finally:
        alarm.cancel()
        watch.end()


class _Watch:
    """Waits for word that the client left."""

    __slots__ = ("_leave", "_receive", "_task")

    def __init__(self, receive: Receive, leave: Callable[[], None]) -> None:
        self._receive = receive
        self._leave = leave
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._task = asyncio.ensure_future(self._until_disconnect())
        self._task.add_done_callback(self._ended)

    def end(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _until_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled():
            self._leave()
