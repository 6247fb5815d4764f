"""Serving until a signal says stop, then leaving in order."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final

import uvloop

from photic.serving.admission import Admission
from photic.settings import ServerSettings
from photic.web.embedded import EmbeddedGranian
from photic.web.envelope import Envelope
from photic.web.lifecycle import Lifecycle, Phase
from photic.web.listener import connections_allowed, listen

__all__ = ["serve_until_signal"]

_log = logging.getLogger(__name__)
_CLOSE_TIMEOUT_S: Final = 2.0  # for answers on their way
_SAME_SIGNAL_S: Final = 0.1  # timeout(1) and some supervisors send a signal twice
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def serve_until_signal(
    app: Envelope,
    sock: socket.socket,
    *,
    settings: ServerSettings,
    admission: Admission,
    lifecycle: Lifecycle,
    on_listening: Callable[[], None],
) -> bool:
    """Serve, until SIGTERM or SIGINT; blocks. A second signal ends the process at once.

    Args:
        app: What to serve.
        sock: Bound; from here on it listens, and is closed at the end.
        settings: The server section.
        admission: Opened here, and drained.
        lifecycle: Moved on here.
        on_listening: Called when clients can connect.

    Returns:
        Whether all that was in flight could finish.

    Raises:
        StartUpError: The port was taken since the socket was bound.
    """
    return uvloop.run(_Run(app, sock, settings, admission, lifecycle).serve(on_listening))


class _Run:
    """One run of the server, on its event loop."""

    def __init__(
        self,
        app: Envelope,
        sock: socket.socket,
        settings: ServerSettings,
        admission: Admission,
        lifecycle: Lifecycle,
    ) -> None:
        self._app = app
        self._sock = sock
        self._settings = settings
        self._admission = admission
        self._lifecycle = lifecycle
        self._stop = asyncio.Event()
        self._first_signal_s: float | None = None

    async def serve(self, on_listening: Callable[[], None]) -> bool:
        loop = asyncio.get_running_loop()
        listen(self._sock, self._settings.backlog)
        server = EmbeddedGranian(
            self._app,
            self._sock,
            backlog=self._settings.backlog,
            connections=connections_allowed(self._settings.backlog),
            header_timeout_ms=self._settings.header_timeout_ms,
        )
        serving = asyncio.create_task(server.serve())
        serving.add_done_callback(lambda _: self._stop.set())
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._on_signal, number)
        self._admission.open()
        self._lifecycle.phase = Phase.SERVING
        on_listening()
        await self._stop.wait()
        return await self._leave(server, serving)

    def _on_signal(self, number: int) -> None:
        now_s = asyncio.get_running_loop().time()
        if self._first_signal_s is None:
            self._first_signal_s = now_s
            _log.info("%s: leaving", signal.Signals(number).name)
            self._stop.set()
        elif now_s - self._first_signal_s > _SAME_SIGNAL_S:
            _log.warning("%s again: ending at once", signal.Signals(number).name)
            os._exit(128 + number)

    async def _leave(self, server: EmbeddedGranian, serving: "asyncio.Task[None]") -> bool:
        """Readiness says no; then nothing more is let in and all in flight ends; then the rest."""
        self._lifecycle.phase = Phase.LEAVING
        await asyncio.sleep(self._settings.drain_grace_ms / 1e3)
        self._lifecycle.phase = Phase.DRAINING
        self._admission.drain()
        finished = await _within(self._settings.drain_timeout_ms / 1e3, self._admission.idle())
        if not finished:
            left = self._admission.in_flight
            _log.error("%d request%s did not finish in time", left, "" if left == 1 else "s")
        await self._lifecycle.lingering.end()
        self._lifecycle.phase = Phase.STOPPED
        server.stop()  # type: ignore[no-untyped-call]  # Granian annotates no method of its server
        if await _within(_CLOSE_TIMEOUT_S, serving):
            serving.result()  # raises what ended it, should it have failed
        else:
            asyncio.get_running_loop().set_exception_handler(_ignore_late_end)
        return finished


async def _within(seconds: float, ending: Awaitable[None]) -> bool:
    """Whether it ended in time; it goes on if not."""
    done, _ = await asyncio.wait({asyncio.ensure_future(ending)}, timeout=seconds)
    return bool(done)


def _ignore_late_end(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The closing loop cancels Granian, which then marks as ended what is cancelled already."""
    if not isinstance(context.get("exception"), asyncio.InvalidStateError):
        loop.default_exception_handler(context)
