"""One keep-alive connection that never blocks."""

import select
import socket

import msgspec

from bench.load.answers import Answer, parse

_READ = 65_536
_SEND_BUFFER = 4 << 20
"""Asked of the kernel (which gives less), so that most photos leave in one call."""


class Call(msgspec.Struct):
    """One request's life on the wire; times in nanoseconds of ``time.monotonic_ns``."""

    number: int
    """Its place in the order of arrival."""
    sent_ns: int
    """When the client turned to it, before connecting or sending."""
    ended_ns: int = 0
    """When its answer was complete, or the client gave it up; 0 while it is under way."""
    status: int = 0
    """HTTP status; 0: the connection failed; -1: given up at the deadline."""


class Connection:
    """A connection with at most one call under way. Not thread-safe: the caller's lock guards it.

    Raises:
        OSError: From the constructor, :meth:`send` and :meth:`receive`, when the connection fails.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self.call: Call | None = None
        self._unsent = memoryview(b"")
        self._received = bytearray()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self._socket.connect_ex(address)  # a failure shows at the first send or in epoll

    def fileno(self) -> int:
        return self._socket.fileno()

    def begin(self, call: Call, request: bytes) -> None:
        """Start a call; what the kernel does not take at once waits for :meth:`send`."""
        self.call = call
        self._received.clear()
        self._unsent = memoryview(request)
        self.send()

    def send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
        except BlockingIOError:
            return

    def receive(self) -> Answer | None:
        """Read what has come; the answer once it is complete.

        Raises:
            ConnectionError: At the end of the stream, or when nothing was asked.
            ValueError: When it is no answer.
        """
        try:
            data = self._socket.recv(_READ)
        except BlockingIOError:
            return None
        if not data or self.call is None:
            raise ConnectionError("closed by the server")
        self._received += data
        return parse(self._received)

    @property
    def sending(self) -> bool:
        return len(self._unsent) > 0

    @property
    def events(self) -> int:
        """What epoll should watch for."""
        return select.EPOLLIN | select.EPOLLOUT if self.sending else select.EPOLLIN

    def close(self) -> None:
        self._socket.close()
