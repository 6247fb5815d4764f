"""The little of HTTP/1.1 that a load generator reads: is an answer complete, its status."""

import re

import msgspec

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)


class Answer(msgspec.Struct, frozen=True):
    """A complete answer's head; its body is of no interest here."""

    status: int
    keep_alive: bool


def parse(received: bytes | bytearray) -> Answer | None:
    """The answer at the start of ``received``; None while it is incomplete.

    Raises:
        ValueError: When this is no HTTP/1.1 answer, or one without a length.
    """
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    if not received.startswith(b"HTTP/1.1 "):
        raise ValueError(f"no HTTP/1.1 answer: {bytes(received[:40])!r}")
    head = received[: end + 2]
    if not _is_whole(head, received, end + 4):
        return None
    return Answer(int(head[9:12]), _CLOSE.search(head) is None)


def _is_whole(head: bytes | bytearray, received: bytes | bytearray, start: int) -> bool:
    if length := _LENGTH.search(head):
        return len(received) - start >= int(length[1])
    if _CHUNKED.search(head):
        return received.endswith(b"\r\n0\r\n\r\n", start - 2)
    raise ValueError("an answer without a length")
