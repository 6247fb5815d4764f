"""A thread that wakes up every millisecond and notes how late it was.

Late by what the kernel took to give it a core, and in a process whose other threads run Python,
until they let go of the GIL, too. As a script: ``gil_probe.py FILE python -m photic ARGUMENTS``
runs Photic with such a thread, ``gil_probe.py FILE`` runs nothing else. SIGTERM ends it; FILE then
is a NumPy array, [wake-ups, 2] int64: when it was to be (CLOCK_MONOTONIC) and how late, in ns.
"""

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

INTERVAL_NS = 1_000_000


def command(file: Path) -> tuple[str, ...]:
    """Put before a command line of Photic."""
    return sys.executable, __file__, str(file)


@contextlib.contextmanager
def alone(file: Path) -> Iterator[None]:
    """In a process of its own."""
    with subprocess.Popen(command(file)) as process:
        yield
        process.terminate()


def late_us(file: Path, begin_ns: int, end_ns: int) -> np.ndarray:
    """How late the wake-ups between two times were, in microseconds."""
    due_ns, late_ns = np.load(file).T
    return late_ns[(due_ns >= begin_ns) & (due_ns < end_ns)] / 1e3


def note(wake_ups: list[tuple[int, int]]) -> None:
    """For ever."""
    while True:
        due_ns = time.monotonic_ns() + INTERVAL_NS
        time.sleep(INTERVAL_NS / 1e9)
        wake_ups.append((due_ns, time.monotonic_ns() - due_ns))


def main(file: str, *photic: str) -> None:
    wake_ups: list[tuple[int, int]] = []
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=note, args=[wake_ups], name="probe", daemon=True).start()
    if photic:
        from photic.cli import main as serve

        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        sys.argv = ["photic", *photic[3:]]
        with contextlib.suppress(SystemExit):
            serve()
    else:
        signal.sigwait({signal.SIGTERM})
    np.save(file, np.array(wake_ups))


if __name__ == "__main__":
    main(*sys.argv[1:])
