"""Reading a request's body from ASGI: its size checked at the headers and again while reading."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from litestar.types import Receive
from msgspec import Struct

from photic.errors import BadRequest, BodyTimeout, BodyTooLarge, UnsupportedEncoding
from photic.web.call import MAX_SHOWN
from photic.web.interruptible import Interrupted, Interruptible

__all__ = ["BodyReader", "Grows", "TimeLimit"]


class TimeLimit(Struct, frozen=True):
    """How long a body may take to arrive, and the setting or header that says so."""

    seconds: float
    set_by: str


class Grows(Protocol):
    """What counts the bytes in flight (an admission ticket)."""

    def grow(self, body_bytes: int) -> None:
        """Count that many more; raises when they are too many."""
        ...


class BodyReader:
    """One request's body, on its way in.

    Attributes:
        receive: Where the body comes from; after its end, word that the client left.
        announced: Bytes by Content-Length; None when the body is chunked.
        received: Bytes that came so far.
        heard_s: When the last of them came, in seconds of the event loop's clock.
    """

    __slots__ = (
        "_at_end",
        "_gave_way",
        "_headers",
        "_limit",
        "_reading",
        "announced",
        "heard_s",
        "receive",
        "received",
    )

    def __init__(self, receive: Receive, headers: dict[bytes, bytes], *, max_bytes: int) -> None:
        self.receive = receive
        self._limit = max_bytes
        self._headers = headers
        self.announced = _announced(headers)
        self.received = 0
        self.heard_s = asyncio.get_running_loop().time()
        self._at_end = self.announced == 0
        self._gave_way = False
        self._reading = Interruptible()

    def check_headers(self) -> None:
        """Refuse what the headers alone tell to be wrong.

        Raises:
            UnsupportedEncoding: On any Content-Encoding but identity.
            BodyTooLarge: When Content-Length is above the limit.
        """
        encoding = self._headers.get(b"content-encoding", b"").lower()
        if encoding not in (b"", b"identity"):
            raise UnsupportedEncoding(
                f"Content-Encoding {encoding.decode('latin-1')[:MAX_SHOWN]!r} is not supported; "
                "images are compressed already: send the file as it is"
            )
        if self.announced is not None and self.announced > self._limit:
            raise self._too_large(self.announced)

    async def read(self, write: Callable[[bytes], object], ticket: Grows, limit: TimeLimit) -> None:
        """Give the whole body to ``write``, chunk by chunk.

        Raises:
            BodyTimeout: When it did not all arrive in time.
            BodyTooLarge: When it is larger than the limit.
            BadRequest: When it ends early (or the client left: nobody will read that answer).
            Overloaded: When a chunked body outgrows what the process may hold.
        """
        alarm = asyncio.get_running_loop().call_later(limit.seconds, self._reading.interrupt)
        try:
            await self._reading.run(self._read(write, ticket))
        except Interrupted:
            raise self._late(limit) from None
        finally:
            alarm.cancel()
        if self.announced is not None and self.received < self.announced:
            raise BadRequest(f"the body ended early: {self._progress()} came")

    def give_way(self) -> None:
        """End ``read`` with BodyTimeout, now."""
        self._gave_way = True
        self._reading.interrupt()

    @property
    def is_coming(self) -> bool:
        """Whether the client may still be sending."""
        waits_for_100 = b"expect" in self._headers and not self.received  # sends nothing till then
        return not (self._at_end or waits_for_100)

    async def discard(self) -> None:
        """Read what is left, however much, until the client has sent all of it or leaves."""
        with suppress(BadRequest):
            while not self._at_end:
                await self._next_chunk()

    async def _read(self, write: Callable[[bytes], object], ticket: Grows) -> None:
        while not self._at_end:
            chunk = await self._next_chunk()
            if self.announced is None:
                if self.received > self._limit:
                    raise self._too_large(self.received)
                ticket.grow(len(chunk))
            elif self.received > self.announced:
                raise BadRequest(f"the body is longer than its Content-Length: {self._progress()}")
            if chunk:
                write(chunk)

    async def _next_chunk(self) -> bytes:
        message = await self.receive()
        if message["type"] != "http.request":  # the client left, or broke the chunked framing
            self._at_end = True
            raise BadRequest(
                f"the body ended early or is not framed as HTTP: {self._progress()} came"
            )
        chunk = message["body"]
        self.received += len(chunk)
        self.heard_s = asyncio.get_running_loop().time()
        # Asking again only to hear that nothing follows would cost a wake-up on every request.
        self._at_end = not message.get("more_body", False) or self.received == self.announced
        return chunk

    def _late(self, limit: TimeLimit) -> BodyTimeout:
        if self._gave_way:
            return BodyTimeout(
                f"all slots were taken, and this body paused for longest: {self._progress()} came"
            )
        return BodyTimeout(
            f"{self._progress()} had arrived after {limit.seconds * 1000:.0f} ms; "
            f"{limit.set_by} sets how long that may take"
        )

    def _too_large(self, size: int) -> BodyTooLarge:
        return BodyTooLarge(f"the body has {size} bytes or more; the limit is {self._limit} bytes")

    def _progress(self) -> str:
        if self.announced is None:
            return f"{self.received} bytes of a chunked body"
        return f"{self.received} of {self.announced} bytes"


def _announced(headers: dict[bytes, bytes]) -> int | None:
    """The body's size by its headers; 0 when there is no body, None when only its end will tell."""
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"0")
    if not length.isdigit():
        shown = length.decode("latin-1")[:MAX_SHOWN]
        raise BadRequest(f"Content-Length {shown!r} is not a number")
    return int(length)
