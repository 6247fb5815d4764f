"""When one process is too small for the machine."""

import math
from typing import Final

__all__ = ["MOST_WORKERS", "split"]

MOST_WORKERS: Final = 12
"""Workers that one event loop can feed when a prediction takes about 10 ms."""


def split(workers: int) -> tuple[int, ...]:
    """The CPUs of each process, as even as whole CPUs allow; empty when one process will do."""
    if workers <= MOST_WORKERS:
        return ()
    count = math.ceil(workers / MOST_WORKERS)
    each, more = divmod(workers, count)
    return (each + 1,) * more + (each,) * (count - more)
