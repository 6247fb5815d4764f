"""Large pages for the memory that inference walks through: fewer misses of the TLB.

``MADV_COLLAPSE`` (Linux 6.1) replaces pages that are there already, once, and leaves the policy for
later allocations as it is: nothing grows, and no request waits for a large page to be cleared.
"""

import ctypes
import logging
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["Mapping", "collapse", "collapse_in_background", "worthwhile"]

_log = logging.getLogger(__name__)

_SMAPS: Final = Path("/proc/self/smaps")
_PAGE_BYTES: Final = 2 * 1024 * 1024
_SMALLEST_BYTES: Final = 2 * _PAGE_BYTES
_FILLED: Final = 0.8
"""Of a mapping's pages; what is empty in a large page would be cleared and counted."""
_MADV_COLLAPSE: Final = 25
_HEADER: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)")


class Mapping(NamedTuple):
    """One mapping of the process: bytes from ``start`` to ``end``."""

    start: int
    end: int
    resident: int
    """Bytes that are in memory."""


def collapse_in_background() -> threading.Thread:
    """``collapse`` on a thread of its own, so that the start does not wait; to be called once.

    On an idle machine it takes 0.3 ms a MB; where other CPUs are busy the kernel waits for each of
    them, for 3 ms a MB.
    """
    thread = threading.Thread(target=collapse, name="photic-huge-pages", daemon=True)
    thread.start()
    return thread


def collapse() -> None:
    """Put what is in memory now on large pages where the kernel can; else nothing happens.

    To be called when the models are warm.
    """
    begin_ns = time.monotonic_ns()
    try:
        mappings = list(worthwhile(_SMAPS.read_text(encoding="utf-8", errors="replace")))
        done = sum(_collapse_one(mapping) for mapping in mappings)
    except (OSError, AttributeError, ValueError) as error:
        _log.debug("no huge pages: %s", error)
        return
    duration_ms = (time.monotonic_ns() - begin_ns) / 1e6
    _log.debug(
        "huge pages for %d of %d MB in %.0f ms",
        done >> 20,
        sum(mapping.end - mapping.start for mapping in mappings) >> 20,
        duration_ms,
    )


def worthwhile(smaps: str) -> Iterator[Mapping]:
    """The private, writeable, anonymous mappings that are large and full.

    Args:
        smaps: Text of ``/proc/self/smaps``.
    """
    header: re.Match[str] | None = None
    for line in smaps.splitlines():
        if match := _HEADER.fullmatch(line):
            header = match if match[3] == "rw-p" and match[4] in ("", "[heap]") else None
        elif header is not None and line.startswith("Rss:"):
            mapping = Mapping(int(header[1], 16), int(header[2], 16), int(line.split()[1]) * 1024)
            size = mapping.end - mapping.start
            if size >= _SMALLEST_BYTES and mapping.resident >= _FILLED * size:
                yield mapping


def _collapse_one(mapping: Mapping) -> int:
    """Bytes on large pages now, as far as the kernel says."""
    start = -(-mapping.start // _PAGE_BYTES) * _PAGE_BYTES
    length = mapping.end // _PAGE_BYTES * _PAGE_BYTES - start
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return length if madvise(start, length, _MADV_COLLAPSE) == 0 else 0
