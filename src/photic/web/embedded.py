"""Granian in our own process and event loop (docs/adr/0004-granian-embedded.md)."""

import asyncio
import socket
from typing import Any, Final

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server
from litestar.types import ASGIApp

from photic.thread_names import name_this_thread

__all__ = ["EmbeddedGranian"]

# Its logger hands over to ours; "incremental" keeps dictConfig from closing other handlers.
_LOGGING: Final = {"incremental": True, "handlers": {}, "loggers": {"_granian": {}}}


class EmbeddedGranian(Server):
    """One HTTP/1.1 server on a socket that listens already.

    Args:
        app: The ASGI application; it gets no lifespan events.
        sock: Listens; Granian takes it over, and closes it when it stops.
        backlog: Connections that may wait in the kernel.
        connections: Connections that may be open. Granian counts idle ones too, and by default
            about a thousand of them would starve the health probes.
        header_timeout_ms: Time for a request's headers, idle time before them included.
    """

    def __init__(
        self,
        app: ASGIApp,
        sock: socket.socket,
        *,
        backlog: int,
        connections: int,
        header_timeout_ms: int,
    ) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            websockets=False,
            runtime_blocking_threads=1,  # for files, of which we serve none; it would allow 512
            backlog=backlog,
            backpressure=connections,
            http1_settings=HTTP1Settings(header_read_timeout=header_timeout_ms),
            log_level=LogLevels.error,
            log_dictconfig=_LOGGING,
        )
        self._own_socket = sock

    def _init_shared_socket(self) -> None:
        """Granian would bind a socket of its own, with SO_REUSEPORT and only to an IP address."""
        # type: ignore: Granian's stub leaves the constructor out.
        self._shd: Any = SocketHolder(self._own_socket.detach(), False, self.backlog)  # type: ignore[call-arg]
        self._ssp = None

    def _spawn_worker(self, *arguments: Any, **named: Any) -> Any:
        """Name its threads: they start in the first step of a task that is made here."""
        loop = asyncio.get_running_loop()
        loop.call_soon(name_this_thread, "photic-http")
        worker = super()._spawn_worker(*arguments, **named)
        loop.call_soon(name_this_thread, "photic")
        return worker
