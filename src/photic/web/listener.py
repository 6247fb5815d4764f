"""The listening socket: made by us, so that a port in use is noticed and port 0 is known."""

import errno
import logging
import resource
import socket
from typing import Final

from photic.errors import StartUpError

__all__ = ["bind", "connections_allowed", "listen", "url_of"]

_log = logging.getLogger(__name__)
_OTHER_FILES: Final = 64  # models, logs, threads' event files …

_REASONS: Final = {
    errno.EADDRINUSE: "the port is in use; choose another with --port, or --port 0 for a free one",
    errno.EACCES: "no permission; ports below 1024 need privileges",
    errno.EADDRNOTAVAIL: "this machine has no such address; check --host",
}


def bind(host: str, port: int) -> socket.socket:
    """A TCP socket bound to an address, not listening yet.

    Without SO_REUSEPORT (which Granian's own sockets set, so that a second server on the same port
    would silently share the connections).

    Raises:
        StartUpError: The address cannot be resolved or bound; one line.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StartUpError(f"cannot listen on {host!r}: {reason}; check --host") from None
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.bind(address)
    except OSError as error:
        sock.close()
        raise _start_up_error(host, port, error) from None
    return sock


def listen(sock: socket.socket, backlog: int) -> None:
    """From now on clients can connect.

    Raises:
        StartUpError: Another process began to listen on the port since it was bound.
    """
    try:
        sock.listen(backlog)
    except OSError as error:
        host, port = sock.getsockname()[:2]
        raise _start_up_error(host, port, error) from None


def connections_allowed(wanted: int) -> int:
    """How many connections may be open at once, by the limit on open files.

    The process's own limit is raised as far as it may. A connection more than that could not be
    accepted, and would wait in the kernel rather than for us.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = max(1, min(wanted, soft - _OTHER_FILES))
    if allowed < wanted:
        _log.warning("at most %d connections: the limit on open files is %d", allowed, soft)
    return allowed


def url_of(sock: socket.socket) -> str:
    """Where a client on this machine finds the socket, such as ``http://127.0.0.1:8000``."""
    host, port = sock.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- only shown
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _start_up_error(host: str, port: int, error: OSError) -> StartUpError:
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return StartUpError(f"cannot listen on {host} port {port}: {reason}")
