"""The way of a call to its route."""

from typing import Any, Final

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Receive, Send

__all__ = ["DIRECT", "Dispatch"]

DIRECT: Final = "photic.direct"
"""The option of a Litestar handler that names the ASGI application to call in its place."""


class Dispatch:
    """Calls what Litestar's routing table says: most through Litestar, predictions directly.

    Litestar's layers (its Request, its handling of exceptions and of handlers' results) are half of
    what the event loop's thread spends on a prediction, and a prediction uses none of them
    (docs/adr/0008-the-path-around.md).
    """

    def __init__(self, app: Litestar) -> None:
        self._app = app
        self._find = app.asgi_router.handle_routing

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one call, an ASGI scope of type "http"."""
        app = self._direct(scope) or self._app
        await app(scope, receive, send)

    def _direct(self, scope: Any) -> ASGIApp | None:
        """What answers the call without Litestar; None where Litestar does, errors included."""
        try:
            found = self._find(path=scope["path"], method=scope["method"])
        except HTTPException:
            return None
        _, handler, _, scope["path_params"], _ = found
        direct: ASGIApp | None = handler.opt.get(DIRECT)
        return direct
