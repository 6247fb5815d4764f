"""A client that hangs up cancels its request."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar.types import Receive

from photic.errors import Abandoned

__all__ = ["unless_client_leaves"]

T = TypeVar("T")


async def unless_client_leaves(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Await ``work``, and cancel it when the client closes the connection (or its half of it).

    The body must have been read to its end: what ``receive`` says next is that the client left.

    Raises:
        Abandoned: When the client left before the work was done.
    """
    waiting = asyncio.current_task()
    client_left = False
    done = False  # a callback that is scheduled already cannot be taken back

    def leave(watch: asyncio.Task[None]) -> None:
        nonlocal client_left
        if not (done or watch.cancelled()) and waiting is not None:
            client_left = True
            waiting.cancel()

    watch = asyncio.create_task(_disconnected(receive))
    watch.add_done_callback(leave)
    try:
        return await work
    except asyncio.CancelledError:
        if not client_left or waiting is None:
            raise
        waiting.uncancel()
        raise Abandoned("the client left before its answer was ready") from None
    finally:
        done = True
        watch.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
