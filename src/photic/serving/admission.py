"""What is let in: decided on a request's headers, before its body is read."""

import asyncio
from types import TracebackType
from typing import Self

from photic.errors import Overloaded, Unavailable
from photic.settings import AdmissionSettings

__all__ = ["Admission", "Ticket"]

SLOTS_PER_WORKER = 32
"""Where ``admission.max_in_flight`` is not set."""


class Ticket:
    """The right of one request to be in flight. Use it as a context manager."""

    __slots__ = ("_admission", "_body_bytes", "_released")

    def __init__(self, admission: "Admission", body_bytes: int) -> None:
        self._admission = admission
        self._body_bytes = body_bytes
        self._released = False

    def grow(self, body_bytes: int) -> None:
        """Ask for more bytes, for a body whose length is not known beforehand.

        Raises:
            Overloaded: Too many bytes are in flight.
        """
        self._admission.reserve(body_bytes)
        self._body_bytes += body_bytes

    def release(self) -> None:
        """Give slot and bytes back; does nothing the second time."""
        if not self._released:
            self._released = True
            self._admission.take_back(self._body_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


class Admission:
    """Counts what is in flight. Belongs to the thread of the event loop; has no lock.

    It begins closed: ``open`` it when the models are ready.
    """

    def __init__(self, settings: AdmissionSettings, *, workers: int) -> None:
        self.retry_after_s = settings.retry_after_s
        self.max_in_flight = settings.max_in_flight or SLOTS_PER_WORKER * workers
        self.in_flight = 0
        self.in_flight_bytes = 0
        self._settings = settings
        self._closed_because: str | None = "the models are not ready yet"
        self._idle: asyncio.Event | None = None  # while somebody waits for it

    def open(self) -> None:
        """Let requests in."""
        self._closed_because = None

    def drain(self) -> None:
        """Let no request in any more."""
        self._closed_because = "the server is shutting down"

    async def idle(self) -> None:
        """Wait until nothing is in flight."""
        if self.in_flight:
            self._idle = self._idle or asyncio.Event()
            await self._idle.wait()

    def admit(self, body_bytes: int) -> Ticket:
        """Let one request in.

        Args:
            body_bytes: Its Content-Length; 0 if it has none (see ``Ticket.grow``).

        Raises:
            Unavailable: Not ready yet, or draining.
            Overloaded: All slots or all bytes are taken.
        """
        if self._closed_because is not None:
            raise Unavailable(self._closed_because, retry_after=self.retry_after_s)
        if self.in_flight >= self.max_in_flight:
            raise self._overloaded(f"all {self.max_in_flight} slots are taken")
        self.reserve(body_bytes)
        self.in_flight += 1
        return Ticket(self, body_bytes)

    def reserve(self, body_bytes: int) -> None:
        """Count more bytes of a body in flight; for tickets.

        Raises:
            Overloaded: Too many bytes are in flight.
        """
        limit = self._settings.max_in_flight_bytes
        if self.in_flight_bytes + body_bytes > limit:
            raise self._overloaded(
                f"{self.in_flight_bytes} bytes of bodies are in flight, and {body_bytes} more"
                f" would exceed {limit}"
            )
        self.in_flight_bytes += body_bytes

    def take_back(self, body_bytes: int) -> None:
        """One request is over; for tickets."""
        self.in_flight -= 1
        self.in_flight_bytes -= body_bytes
        if self.in_flight == 0 and self._idle is not None:
            self._idle.set()
            self._idle = None

    def _overloaded(self, detail: str) -> Overloaded:
        return Overloaded(detail, retry_after=self.retry_after_s)
