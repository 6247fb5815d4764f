"""Granian as Photic embeds it, before an application that reads the body and answers at once.

What is left of a server when everything that Photic does is taken away. Run as a script with the
argument ``asgi`` or ``rsgi`` (Granian's own interface) it prints its port and serves.
"""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import uvloop
from granian.constants import Interfaces

from photic.web.embedded import EmbeddedGranian

BODY = b"x" * 400
HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", b"%d" % len(BODY)),
    (b"server-timing", b"x" * 150),
    (b"x-request-id", b"x" * 16),
]
"""As large as a prediction."""


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    left = int(dict(scope["headers"])[b"content-length"])
    while left:
        left -= len((await receive())["body"])
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": BODY, "more_body": False})


class Rsgi:
    def __init__(self) -> None:
        self._headers = [(name.decode(), value.decode()) for name, value in HEADERS]

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        assert len(await protocol()) == int(scope.headers["content-length"])
        protocol.response_bytes(200, self._headers, BODY)


async def serve(interface: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        server = EmbeddedGranian(
            Rsgi() if interface == "rsgi" else asgi,
            listener,
            backlog=128,
            connections=128,
            header_timeout_ms=10_000,
        )
        if interface == "rsgi":
            server.interface = Interfaces.RSGI
        await server.serve()


@contextlib.contextmanager
def running(interface: str) -> Iterator[tuple[subprocess.Popen[bytes], tuple[str, int]]]:
    """The process and its address."""
    command = [sys.executable, __file__, interface]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield process, ("127.0.0.1", int(process.stdout.readline()))
        finally:
            process.kill()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
