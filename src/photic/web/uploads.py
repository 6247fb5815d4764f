"""The bodies on their way in, and which of them gives way when there is no room for more."""

import asyncio
from collections.abc import Callable

from photic.errors import Overloaded
from photic.serving.admission import Admission, Ticket
from photic.web.body import BodyReader, TimeLimit

__all__ = ["Uploads"]


class Uploads:
    """Lets bodies in and reads them.

    A client that trickles its body holds a slot for as long as a body may take, and a few dozen of
    them would keep everybody else out. So when there is no room, the body that has paused for
    longest, and for ``stall_s`` at least, gives its slot and bytes to the new one.
    """

    def __init__(self, admission: Admission, *, stall_s: float) -> None:
        self._admission = admission
        self._stall_s = stall_s
        self._coming: dict[BodyReader, Ticket] = {}

    def admit(self, body: BodyReader) -> Ticket:
        """Let a request in, on its headers.

        Raises:
            Overloaded: There is no room, and no body stalls.
            Unavailable: Not ready, or draining.
        """
        while True:
            try:
                return self._admission.admit(body.announced or 0)
            except Overloaded:
                if not self._evict():
                    raise

    async def read(
        self, body: BodyReader, write: Callable[[bytes], object], ticket: Ticket, limit: TimeLimit
    ) -> None:
        """``BodyReader.read``, during which the body may have to give way (a BodyTimeout)."""
        self._coming[body] = ticket
        try:
            await body.read(write, ticket, limit)
        finally:
            self._coming.pop(body, None)

    def _evict(self) -> bool:
        quietest = min(self._coming, key=lambda body: body.heard_s, default=None)
        if quietest is None:
            return False
        if asyncio.get_running_loop().time() - quietest.heard_s < self._stall_s:
            return False
        self._coming.pop(quietest).release()
        quietest.give_way()
        return True
