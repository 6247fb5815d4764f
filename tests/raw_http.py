"""HTTP by hand, for what no client library would send."""

import select
import socket
from collections.abc import Callable
from types import TracebackType
from typing import Self

from h11 import CLIENT, Connection, Data, EndOfMessage, Request, Response

_PATIENT_S = 30


class RawConnection:
    """One TCP connection: send any bytes, read answers."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.sock = socket.create_connection(address, timeout=_PATIENT_S)
        self.rest = b""

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def answer(self, method: bytes = b"GET") -> tuple[int, dict[str, str], bytes]:
        """The next answer: status, headers, body. Raises EOFError when the server closed."""
        parser = Connection(CLIENT)
        parser.send(Request(method=method, target=b"/", headers=[("host", "x")]))
        parser.send(EndOfMessage())
        if self.rest:  # b"" would mean that the server closed
            parser.receive_data(self.rest)
        response, body = None, b""
        while True:
            event = parser.next_event()
            if isinstance(event, Response):
                response = event
            elif isinstance(event, Data):
                body += bytes(event.data)
            elif isinstance(event, EndOfMessage):
                self.rest = parser.trailing_data[0]
                assert response is not None
                headers = {k.decode(): v.decode() for k, v in response.headers}
                return response.status_code, headers, body
            elif event is not None and not hasattr(event, "status_code"):  # no 100 Continue
                chunk = self.sock.recv(65_536)
                if not chunk:
                    raise EOFError
                parser.receive_data(chunk)

    def has_answer(self) -> bool:
        """Whether an answer, or the end, is there already."""
        return bool(self.rest) or bool(select.select([self.sock], [], [], 0)[0])

    def is_closed(self) -> bool:
        """Wait until the server closes; False when it sends something instead."""
        return not self.rest and not self.sock.recv(1)

    def close(self) -> None:
        self.sock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def hold(address: tuple[str, int], data: bytes, is_held: Callable[[], bool]) -> RawConnection:
    """Send a request that will wait, and return its connection once ``is_held`` says that it does.

    Asking that takes room on the server, too, for an instant; the request is sent again when it was
    refused for that.
    """
    while True:
        connection = RawConnection(address)
        connection.send(data)
        while not connection.has_answer():
            if is_held():
                return connection
        connection.close()
