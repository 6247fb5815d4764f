"""The committed counts, one set for each toolchain they were made with."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bench.guard.counting import Count, Toolchain

__all__ = ["BASELINE", "MOST", "Counts", "find", "read", "replace", "write"]

BASELINE: Final = Path(__file__).with_name("baseline.json")
MOST: Final = 0.05
"""How much dearer than its baseline a photo may be."""


class Counts(Struct, frozen=True):
    """What one toolchain counted."""

    toolchain: Toolchain
    photos: dict[str, Count]


def read(path: Path = BASELINE) -> list[Counts]:
    """All sets of a file; none when there is no file.

    Raises:
        msgspec.DecodeError: It is no baseline.
    """
    if not path.exists():
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[Counts])


def find(known: list[Counts], now: Counts) -> Counts | None:
    """The set of the same toolchain, if it counted the very same files."""
    for counts in known:
        if counts.toolchain == now.toolchain and _files(counts) == _files(now):
            return counts
    return None


def _files(counts: Counts) -> dict[str, str]:
    return {name: count.photo for name, count in counts.photos.items()}


def replace(known: list[Counts], now: Counts) -> list[Counts]:
    """`known`, with `now` in the place of its toolchain's set."""
    return [counts for counts in known if counts.toolchain != now.toolchain] + [now]


def write(known: list[Counts], path: Path = BASELINE) -> None:
    """Writes a file that a reviewer can read as a diff."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(known), indent=2) + b"\n")
