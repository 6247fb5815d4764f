"""Reads the bytes of an image from a file or a stream: bounded, and never from what may not end."""

import os
import stat
from os import PathLike
from typing import Final, Protocol

from photic.errors import BadRequest, BodyTooLarge

__all__ = ["printable", "read_image_file", "read_stream"]

_CHUNK_BYTES: Final = 1024 * 1024
_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Stream(Protocol):
    """What yields bytes, such as ``sys.stdin.buffer``."""

    def read(self, size: int, /) -> bytes | None:
        """At most ``size`` bytes; none at the end."""
        ...


def read_image_file(path: str | PathLike[str], limit: int) -> bytes:
    """The bytes of a regular file.

    What is no regular file (a FIFO, a device) is not opened, and a file that is too large not read.

    Args:
        path: Where it is; symbolic links are followed.
        limit: Bytes: ``body.max_bytes`` of the settings.

    Raises:
        BadRequest: Code ``unreadable_file``: missing, not permitted, or not a regular file.
        BodyTooLarge: It has more than ``limit`` bytes.
    """
    name = os.fspath(path)
    try:
        _check(os.stat(name), name, limit)  # noqa: PTH116 -- Path would take "" for the folder "."
        # Not blocking, since it may have become a FIFO meanwhile.
        handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb", buffering=0) as file:
            _check(os.fstat(handle), name, limit)
            return read_stream(file, limit, name=name)
    except OSError as error:
        raise _unreadable(name, error.strerror or str(error)) from None
    except ValueError as error:  # a NUL in the path
        raise _unreadable(name, str(error)) from None


def read_stream(stream: Stream, limit: int, *, name: str = "standard input") -> bytes:
    """All bytes of a stream, which is read no further than the limit.

    Args:
        stream: Opened for bytes.
        limit: Bytes: ``body.max_bytes`` of the settings.
        name: What the error calls it.

    Raises:
        BodyTooLarge: It has more than ``limit`` bytes.
        OSError: It cannot be read.
    """
    chunks: list[bytes] = []
    left = limit + 1
    while left > 0 and (chunk := stream.read(min(left, _CHUNK_BYTES))):
        chunks.append(chunk)
        left -= len(chunk)
    if left == 0:
        raise _too_large(name, f"more than {limit}", limit)
    return b"".join(chunks)


def printable(name: str) -> str:
    """A file's name for the output: it may hold bytes that are no UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _check(status: os.stat_result, name: str, limit: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise _unreadable(name, f"is {kind}, not a regular file")
    if status.st_size > limit:
        raise _too_large(name, str(status.st_size), limit)


def _unreadable(name: str, reason: str) -> BadRequest:
    return BadRequest(f"{printable(name)}: {reason}", code="unreadable_file")


def _too_large(name: str, size: str, limit: int) -> BodyTooLarge:
    return BodyTooLarge(f"{printable(name)}: {size} bytes; body.max_bytes allows {limit}")
