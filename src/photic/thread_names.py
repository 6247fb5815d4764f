"""Names of threads as the system shows them (``top -H``, ``ps -L``): at most 15 bytes.

Python gives none before 3.14. A new thread inherits the name of the one that starts it, which is
how threads of libraries get theirs.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

__all__ = ["name_new_threads", "name_this_thread"]

_NAME: Final = Path("/proc/thread-self/comm")


def name_this_thread(name: str) -> None:
    """Name the calling thread; nothing happens where the system has no such file."""
    with suppress(OSError):
        _NAME.write_text(name, encoding="ascii")


@contextmanager
def name_new_threads(name: str) -> Iterator[None]:
    """Name the threads that the calling one starts within the block."""
    try:
        own = _NAME.read_text(encoding="utf-8", errors="replace").rstrip("\n")
    except OSError:
        own = None
    name_this_thread(name)
    try:
        yield
    finally:
        if own is not None:
            name_this_thread(own)
