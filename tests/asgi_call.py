"""One call to an ASGI application, event by event, without a server."""

import asyncio
from typing import Any

import msgspec

DISCONNECT = {"type": "http.disconnect"}


class Body:
    """What an application receives: chunks, exceptions to raise, or futures to wait for."""

    def __init__(self, *events: Any, ends: bool = True) -> None:
        self.events = list(events)
        self.ends = ends
        self.asked = 0
        """How often the application asked for more."""

    async def receive(self) -> Any:
        self.asked += 1
        if not self.events:
            await asyncio.get_running_loop().create_future()  # nothing more will ever come
        event = self.events.pop(0)
        if isinstance(event, asyncio.Event):
            await event.wait()
            return DISCONNECT
        if isinstance(event, bytes):
            more = bool(self.events) or not self.ends
            return {"type": "http.request", "body": event, "more_body": more}
        return event


class Reply:
    """What an application sent."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.messages = 0

    async def send(self, message: Any) -> None:
        self.messages += 1
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message.get("body", b"")

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


def scope(method: str, target: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    path, _, query = target.partition("?")
    pairs = {"host": "test", **(headers or {})}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in pairs.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8_000),
        "state": {},
    }


async def call(
    app: Any,
    method: str,
    target: str,
    *,
    headers: dict[str, str] | None = None,
    body: Body | bytes = b"",
) -> Reply:
    """Call an application; ``bytes`` come as one chunk with their Content-Length."""
    reply = Reply()
    if isinstance(body, bytes):
        headers = {"content-length": str(len(body)), **(headers or {})}
        body = Body(body)
    await app(scope(method, target, headers), body.receive, reply.send)
    return reply


def fetch(app: Any, method: str, target: str, **options: Any) -> Reply:
    """``call`` in an event loop of its own."""
    return asyncio.run(call(app, method, target, **options))
