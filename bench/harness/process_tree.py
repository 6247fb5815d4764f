"""CPU time and memory of a server with all its children."""

import contextlib
from collections.abc import Iterator

import psutil

__all__ = ["cpu_ns", "end_tree", "members", "pss_bytes"]

NS_PER_S = 1_000_000_000
GRACE_S = 10


def members(root: psutil.Process) -> list[psutil.Process]:
    """The process and all its descendants that live."""
    return [root, *root.children(recursive=True)]


def cpu_ns(root: psutil.Process) -> int:
    """User and system time of the tree since it began, in steps of 10 ms.

    Children that ended and were waited for are included; those whose parent never waits are lost.
    """
    seconds = 0.0
    for process in members(root):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return round(seconds * NS_PER_S)


def pss_bytes(root: psutil.Process) -> int:
    """Proportional set size of the tree: pages shared by n processes count 1/n in each."""
    return sum(_pss_of(process) for process in members(root))


def _pss_of(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
        return int(process.memory_full_info().pss)
    return 0


def end_tree(root: psutil.Process) -> None:
    """SIGTERM to the root, and SIGKILL to all that is left after ten seconds."""
    left = _alive(root)
    with contextlib.suppress(psutil.NoSuchProcess):
        root.terminate()
    _, left = psutil.wait_procs(left, timeout=GRACE_S)
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(left, timeout=GRACE_S)


def _alive(root: psutil.Process) -> list[psutil.Process]:
    try:
        return list(_reversed_members(root))
    except psutil.NoSuchProcess:
        return []


def _reversed_members(root: psutil.Process) -> Iterator[psutil.Process]:
    return reversed(members(root))
