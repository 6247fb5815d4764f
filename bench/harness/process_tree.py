"""CPU time and memory of a server with all its children."""

import contextlib

import psutil
from msgspec import Struct

__all__ = ["Memory", "cpu_ns", "end_tree", "members", "memory_bytes"]

NS_PER_S = 1_000_000_000
GRACE_S = 5
ORPHANS_S = 1


class Memory(Struct, frozen=True):
    """Proportional and resident set size: pages shared by n processes count 1/n, or n times."""

    pss: int
    rss: int


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


def memory_bytes(root: psutil.Process) -> Memory:
    """Of the tree, now."""
    pss = rss = 0
    for process in members(root):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            info = process.memory_full_info()
            pss, rss = pss + info.pss, rss + info.rss
    return Memory(pss, rss)


def end_tree(root: psutil.Process) -> None:
    """SIGTERM to the root, which has five seconds to end the others; then SIGKILL to all."""
    try:
        tree = members(root)
        root.terminate()
    except psutil.NoSuchProcess:
        return
    psutil.wait_procs([root], timeout=GRACE_S)
    _, left = psutil.wait_procs(tree, timeout=ORPHANS_S)
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(left, timeout=GRACE_S)
