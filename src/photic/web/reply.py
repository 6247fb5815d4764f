"""An answer as bytes, and how it is sent."""

from typing import Final

from litestar.types import Send
from msgspec import Struct

__all__ = ["JSON", "Reply", "send_reply"]

JSON: Final = b"application/json"


class Reply(Struct):
    """Status, media type, further headers and body of one answer."""

    status: int
    media_type: bytes
    body: bytes
    headers: list[tuple[bytes, bytes]] = []


async def send_reply(send: Send, reply: Reply) -> None:
    """Send a whole answer through ASGI."""
    headers = [
        (b"content-type", reply.media_type),
        (b"content-length", b"%d" % len(reply.body)),
        *reply.headers,
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body, "more_body": False})
