"""What every part of the web package knows about one HTTP call."""

import random
import re
from collections.abc import Iterable
from typing import Any, Final

__all__ = ["MAX_SHOWN", "Call", "call_of"]

MAX_SHOWN: Final = 40
"""Characters of what a client wrote that an error repeats."""

_STATE_KEY: Final = "photic.call"
_SANE_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,128}")


class Call:
    """The headers and the id of one call, read once.

    Attributes:
        headers: By lower-case name; of a repeated header, the last one.
        request_id: The client's ``X-Request-Id`` when it is sane, else a new one.
    """

    __slots__ = ("headers", "request_id")

    def __init__(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        self.headers = dict(headers)
        self.request_id = _request_id(self.headers.get(b"x-request-id", b""))

    def attach(self, scope: Any) -> None:
        """Make this call known to all who see ``scope``."""
        scope.setdefault("state", {})[_STATE_KEY] = self


def call_of(scope: Any) -> Call:
    """The call that was attached to an ASGI scope."""
    call: Call = scope["state"][_STATE_KEY]
    return call


def _request_id(wanted: bytes) -> str:
    """The id that the client asked for, unless it could break a log line or a header."""
    if _SANE_REQUEST_ID.fullmatch(wanted):
        return wanted.decode("ascii")
    # Without a system call, which would let go of the GIL and queue for it again.
    return f"{random.getrandbits(64):016x}"
