"""Which images a command line means: files, folders, patterns and standard input."""

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from photic.errors import BadRequest
from photic.serving.image_file import printable, read_image_file, read_stream

__all__ = ["STDIN", "Source", "expand", "read_source"]

STDIN: Final = "-"
_SUFFIXES: Final[dict[str, tuple[str, ...]]] = {
    "jpeg": (".jpg", ".jpeg", ".jpe", ".jfif", ".mpo"),
    "png": (".png",),
    "webp": (".webp",),
    "gif": (".gif",),
    "bmp": (".bmp",),
    "tiff": (".tif", ".tiff"),
    "avif": (".avif",),
}


class Source(Struct, frozen=True):
    """One image of the command line.

    Attributes:
        name: What to call it in the output; always valid Unicode.
        path: Where it is; None for standard input.
        error: Why there is nothing to read, for an argument that names no image.
    """

    name: str
    path: Path | None = None
    error: BadRequest | None = None


def expand(arguments: Iterable[str], formats: Iterable[str]) -> list[Source]:
    """The images that the arguments name, in order; each folder and pattern sorted by name.

    A file is taken whatever its name. A folder gives the images in it and below it that have the
    suffix of an enabled format; hidden ones are left out. A pattern is expanded where the shell
    did not. ``-`` is standard input.

    Args:
        arguments: As on the command line.
        formats: ``decode.formats``.
    """
    suffixes = {suffix for name in ("jpeg", *formats) for suffix in _SUFFIXES[name]}
    return [source for argument in arguments for source in _expand(argument, suffixes)]


def read_source(source: Source, limit: int) -> bytes:
    """The bytes of one image.

    Args:
        source: What to read.
        limit: Bytes: ``body.max_bytes``.

    Raises:
        RequestError: ``source.error``, or one of those below.
        BadRequest: It cannot be read, or is neither a regular file nor standard input.
        BodyTooLarge: It has more than ``limit`` bytes.
    """
    if source.error is not None:
        raise source.error
    return _read_stdin(limit) if source.path is None else read_image_file(source.path, limit)


def _expand(argument: str, suffixes: set[str]) -> Iterator[Source]:
    if argument == STDIN:
        yield Source(STDIN)
    elif os.path.isdir(argument):  # noqa: PTH112 - Path's raises for names that are too long
        yield from _in_folder(argument, suffixes)
    elif glob.has_magic(argument) and not os.path.lexists(argument):
        yield from _matches(argument)
    else:
        yield Source(printable(argument), Path(argument))


def _in_folder(folder: str, suffixes: set[str]) -> Iterator[Source]:
    found = False
    unreadable: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=unreadable.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if Path(name).suffix.lower() in suffixes and not name.startswith("."):
                found = True
                path = Path(root, name)
                yield Source(printable(str(path)), path)
    for error in unreadable:
        reason = BadRequest(error.strerror or str(error), code="unreadable_file")
        yield Source(printable(str(error.filename)), error=reason)
    if not found and not unreadable:
        yield _nothing(folder, f"the folder holds no images ({', '.join(sorted(suffixes))})")


def _matches(pattern: str) -> Iterator[Source]:
    found = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
    files = sorted(match for match in found if not Path(match).is_dir())
    if not files:
        yield _nothing(pattern, "the pattern matches no file")
    for file in files:
        yield Source(printable(file), Path(file))


def _nothing(argument: str, reason: str) -> Source:
    return Source(printable(argument), error=BadRequest(reason, code="no_input"))


def _read_stdin(limit: int) -> bytes:
    # Python sets it to None when the process was started without; typeshed does not say so.
    if sys.stdin is None:
        raise BadRequest("standard input is closed", code="unreadable_file")
    try:
        return read_stream(sys.stdin.buffer, limit)
    except OSError as error:
        reason = f"standard input: {error.strerror or error}"
        raise BadRequest(reason, code="unreadable_file") from None
