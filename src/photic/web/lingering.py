"""Reading on after a refusal, so that a client in mid-upload sees the answer."""

import asyncio
from typing import Final

from photic.web.body import BodyReader

__all__ = ["Lingering"]

_LAST_S: Final = 0.25  # for the client to see the answer that it was sent


class Lingering:
    """All refused bodies that are still being read.

    Closing with bytes unread resets the connection. A client that writes all before it reads then
    fails in its write, and on some systems the reset also discards the answer that had arrived.
    """

    def __init__(self) -> None:
        self._timers: set[asyncio.Timeout] = set()
        self._none_left = asyncio.Event()
        self._none_left.set()
        self._is_over = False

    def __len__(self) -> int:
        """How many bodies are being read."""
        return len(self._timers)

    async def read_on(self, body: BodyReader, timeout_s: float) -> None:
        """Read and discard a body until its end, or for ``timeout_s`` seconds."""
        if self._is_over or not body.is_coming or not timeout_s:
            return
        timer = asyncio.timeout(timeout_s)
        self._timers.add(timer)
        self._none_left.clear()
        try:
            async with timer:
                await body.discard()
        except TimeoutError:
            pass
        finally:
            self._timers.remove(timer)
            if not self._timers:
                self._none_left.set()

    async def end(self) -> None:
        """Begin no more, give those that are being read a last moment, and wait for them.

        The server cancels whoever waits for a body when it stops, and logs that as an error.
        """
        self._is_over = True
        last_s = asyncio.get_running_loop().time() + _LAST_S
        for timer in self._timers:
            when_s = timer.when()
            if when_s is not None and when_s > last_s:
                timer.reschedule(last_s)
        await self._none_left.wait()
