"""What all calls have in common: a request id, HTTP's own rules, and how connections end."""

import asyncio
import re
from typing import Any, Final

from litestar.types import ASGIApp, Message, Receive, Send

from photic.errors import BadRequest
from photic.web.call import Call
from photic.web.lifecycle import Lifecycle, Phase
from photic.web.problem import problem_reply
from photic.web.reply import send_reply

__all__ = ["Envelope"]

_CLOSE: Final = (b"connection", b"close")
_HOST: Final = re.compile(rb"[0-9A-Za-z!$&'()*+,;=\-._~:\[\]@%]*")  # RFC 3986, section 3.2
_LONGEST_PATH: Final = 8_000  # characters; Litestar's routing keeps the last 1,024 paths, twice


class Envelope:
    """The outermost ASGI application, around all routes."""

    def __init__(self, app: ASGIApp, lifecycle: Lifecycle) -> None:
        self._app = app
        self._lifecycle = lifecycle

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Give the call, an ASGI scope of type "http", its id and pass it on."""
        call = Call(scope["headers"])
        call.attach(scope)
        more_headers = [(b"x-request-id", call.request_id.encode())]
        has_begun = False

        async def send_more(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                if self._lifecycle.closes_connections:
                    more_headers.append(_CLOSE)
                message["headers"] = [*message["headers"], *more_headers]
            await send(message)

        try:
            _check_host(scope)
            _check_path(scope["path"])
            if scope["method"] == "HEAD":  # the server leaves the body out
                scope["method"] = "GET"
            await self._app(scope, receive, send_more)
        except asyncio.CancelledError:
            # Stopping, Granian cancels what is still there, and would log each as an error; how
            # many there are was logged when they did not finish in time.
            if self._lifecycle.phase is not Phase.STOPPED:
                raise
        except Exception as error:  # whatever no layer below turned into an answer
            if has_begun:
                raise
            await send_reply(send_more, problem_reply(error, call.request_id))


def _check_host(scope: Any) -> None:
    """RFC 9112, section 3.2: a request of HTTP/1.1 without exactly one Host is malformed.

    Granian makes a missing one an empty one.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if scope["http_version"] == "1.1" and (len(hosts) != 1 or not hosts[0]):
        raise BadRequest("a request needs exactly one Host header")
    if hosts and not _HOST.fullmatch(hosts[0]):
        raise BadRequest("the Host header has characters that no host has")


def _check_path(path: str) -> None:
    if len(path) > _LONGEST_PATH:
        raise BadRequest(f"the path has more than {_LONGEST_PATH} characters")
