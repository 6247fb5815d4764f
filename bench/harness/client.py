"""An HTTP client with one connection that costs the machine as little as Python allows."""

import socket
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from msgspec import Struct

__all__ = ["CONNECTION_FAILED", "TIMED_OUT", "Client", "Endpoint", "Reply", "multipart_frame"]

CONNECTION_FAILED = 0
TIMED_OUT = -1
NS_PER_S = 1_000_000_000
CHUNK = 65_536


class Endpoint(Struct, frozen=True):
    """Where photos are sent, and what is around them.

    Attributes:
        host, port, path: Of the server.
        top_1: Finds the class index in the body of a good answer.
        content_type: The request's header.
        headers: More header lines, each ending in CRLF.
        before, after: Bytes around the photo; empty for a raw body.
    """

    host: str
    port: int
    path: str
    top_1: Callable[[bytes], int]
    content_type: str = "image/jpeg"
    headers: str = ""
    before: bytes = b""
    after: bytes = b""

    def request_head(self, photo_bytes: int, headers: str = "") -> bytes:
        """All that is sent before a photo of this length."""
        length = len(self.before) + photo_bytes + len(self.after)
        lines = (
            f"POST {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
            f"Content-Type: {self.content_type}\r\nContent-Length: {length}\r\n"
            f"{self.headers}{headers}\r\n"
        )
        return lines.encode() + self.before


class Reply(Struct, frozen=True):
    """One request's outcome.

    Attributes:
        status: HTTP status; 0 when the connection failed, -1 when the deadline passed.
        latency_ns: From the first byte sent to the last byte read.
        top1: Class index of a good answer, else None.
        head: The answer's header lines, undecoded.
    """

    status: int
    latency_ns: int
    top1: int | None
    head: bytes = b""

    @property
    def good(self) -> bool:
        """Whether it is a prediction."""
        return self.top1 is not None


class Client:
    """One keep-alive connection, opened when first needed and again after a failure.

    Args:
        endpoint: Where to send.
        deadline_s: After this a request counts as timed out, and its connection is closed.
        headers: More header lines, each ending in CRLF.
    """

    def __init__(self, endpoint: Endpoint, *, deadline_s: float = 30.0, headers: str = "") -> None:
        self._endpoint = endpoint
        self._deadline_ns = round(deadline_s * NS_PER_S)
        self._headers = headers
        self._socket: socket.socket | None = None
        self._ends_ns = 0

    def predict(self, photo: bytes) -> Reply:
        """Send one photo and wait for the answer; failures are replies, too."""
        start = time.perf_counter_ns()
        self._ends_ns = start + self._deadline_ns
        try:
            status, head, body = self._exchange(photo)
        except TimeoutError:
            return self._failed(TIMED_OUT, start)
        except (OSError, ValueError):
            return self._failed(CONNECTION_FAILED, start)
        took = time.perf_counter_ns() - start
        top1 = self._endpoint.top_1(body) if status == 200 else None
        return Reply(status, took, top1, head)

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _failed(self, status: int, start: int) -> Reply:
        self.close()
        return Reply(status, time.perf_counter_ns() - start, None)

    def _exchange(self, photo: bytes) -> tuple[int, bytes, bytes]:
        connection = self._socket or self._connect()
        head = self._endpoint.request_head(len(photo), self._headers)
        self._send(connection, [head, photo, self._endpoint.after])
        return self._read_answer(connection)

    def _connect(self) -> socket.socket:
        address = self._endpoint.host, self._endpoint.port
        self._socket = socket.create_connection(address, timeout=self._left_s())
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def _left_s(self) -> float:
        left = self._ends_ns - time.perf_counter_ns()
        if left <= 0:
            raise TimeoutError
        return left / NS_PER_S

    def _send(self, connection: socket.socket, parts: list[bytes]) -> None:
        connection.settimeout(self._left_s())
        sent = connection.sendmsg(parts)
        for part in parts:
            if sent < len(part):
                connection.sendall(memoryview(part)[sent:])
                sent = 0
            else:
                sent -= len(part)

    def _receive(self, connection: socket.socket) -> bytes:
        connection.settimeout(self._left_s())
        data = connection.recv(CHUNK)
        if not data:
            raise ConnectionResetError("the server closed the connection")
        return data

    def _read_answer(self, connection: socket.socket) -> tuple[int, bytes, bytes]:
        data = self._receive(connection)
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._receive(connection)
        head, body = data[:end].lower(), data[end + 4 :]
        if b"\r\ntransfer-encoding: chunked" in head:
            body = self._read_chunks(connection, body)
        else:
            length = int(_header(head, b"content-length"))
            while len(body) < length:
                body += self._receive(connection)
        if b"\r\nconnection: close" in head:
            self.close()
        return int(head[9:12]), head, body

    def _read_chunks(self, connection: socket.socket, data: bytes) -> bytes:
        body = b""
        while True:
            while (end := data.find(b"\r\n")) < 0:
                data += self._receive(connection)
            size = int(data[:end].partition(b";")[0], 16)
            data = data[end + 2 :]
            while len(data) < size + 2:
                data += self._receive(connection)
            if size == 0:
                return body
            body, data = body + data[:size], data[size + 2 :]


def _header(head: bytes, name: bytes) -> bytes:
    _, found, rest = head.partition(b"\r\n" + name + b":")
    if not found:
        raise ValueError(f"the answer has no {name.decode()}")
    return rest.partition(b"\r\n")[0].strip()


def multipart_frame(field: str) -> tuple[str, bytes, bytes]:
    """Content type, and the bytes before and after a photo that is one file of a form."""
    boundary = "photic-bench-f9a5c1d7"
    before = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="photo.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    after = f"\r\n--{boundary}--\r\n"
    return f"multipart/form-data; boundary={boundary}", before.encode(), after.encode()
