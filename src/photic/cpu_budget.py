"""How many CPUs Photic may use, and what it does with them.

The affinity mask says which CPUs the process may run on; a cgroup quota (containers) says how much
CPU time it gets. The smaller one counts. ONNX Runtime's own default looks at neither quota.
"""

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from photic.settings import CpuSettings

__all__ = ["CpuPlan", "plan_cpus"]

_MEMBERSHIP: Final = Path("/proc/self/cgroup")
_HIERARCHIES: Final = Path("/sys/fs/cgroup")

MOST_LATENCY_THREADS: Final = 8
"""Beyond these, one inference of a small model gains little from another thread."""


class CpuPlan(Struct, frozen=True):
    """What the process does with its share of the machine.

    Attributes:
        cpus: CPUs to plan for; a quota may give a fraction.
        workers: Worker threads; each decodes and infers.
        intra_op_threads: ONNX Runtime's threads for each inference.
        latency_threads: Threads of the session for a lone request; 1: no such session.
        server_threads: Threads of the HTTP server's runtime.
        reason: One sentence for the log: the number of workers and why.
    """

    cpus: float
    workers: int
    intra_op_threads: int
    latency_threads: int
    server_threads: int
    reason: str


def plan_cpus(settings: CpuSettings) -> CpuPlan:
    """Plan for this process, from its affinity mask, its cgroup quota and ``cpu.cpus``."""
    quota = read_cgroup_quota(_MEMBERSHIP, _HIERARCHIES)
    return plan_for(affinity=_count_affinity(), quota=quota, asked=settings.cpus)


def plan_for(*, affinity: int, quota: float | None, asked: float) -> CpuPlan:
    """The plan as a pure function of what the machine says.

    Workers are the CPUs rounded down: a worker more than the quota covers would be throttled, with
    all others, for the rest of each 100 ms period, and what is left of a CPU serves the event loop.
    Each worker infers on one thread, which gives the highest throughput.

    Args:
        affinity: CPUs in the affinity mask.
        quota: CPUs that the cgroup allows, or None.
        asked: ``cpu.cpus``; 0 means not set.
    """
    available = affinity if quota is None else min(affinity, quota)
    cpus = asked or available
    workers = max(1, math.floor(cpus))
    return CpuPlan(
        cpus=float(cpus),
        workers=workers,
        intra_op_threads=1,
        latency_threads=min(workers, MOST_LATENCY_THREADS),
        server_threads=1,
        reason=_reason(workers, affinity, quota, asked),
    )


def _reason(workers: int, affinity: int, quota: float | None, asked: float) -> str:
    limit = "no cgroup quota" if quota is None else f"a cgroup quota of {_cpus(quota)}"
    machine = f"{_cpus(affinity)} in the affinity mask, {limit}"
    plan = f"{workers} worker" + ("" if workers == 1 else "s")
    return f"{plan}: cpu.cpus = {asked:g} ({machine})" if asked else f"{plan}: {machine}"


def _cpus(count: float) -> str:
    return f"{count:g} CPU" if count == 1 else f"{count:g} CPUs"


def _count_affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_cgroup_quota(membership: Path, hierarchies: Path) -> float | None:
    """The CPU quota that binds this process: the smallest of its cgroup and of all above it.

    Args:
        membership: ``/proc/self/cgroup``.
        hierarchies: ``/sys/fs/cgroup``.

    Returns:
        CPUs, or None when there is no quota, no cgroup, or nothing readable.
    """
    lines = (_read(membership) or "").splitlines()
    quotas = [quota for line in lines for quota in _quotas_of(line, hierarchies)]
    return min(quotas, default=None)


def _quotas_of(line: str, hierarchies: Path) -> Iterator[float]:
    """The quotas along one line of ``/proc/self/cgroup``, ``id:controllers:path``."""
    _, _, rest = line.partition(":")
    controllers, _, path = rest.partition(":")
    if controllers == "":  # version 2; in a hybrid set-up it is mounted one level deeper
        for mount in (hierarchies, hierarchies / "unified"):
            yield from _walk_up(mount, path, _quota_v2)
    elif "cpu" in controllers.split(","):
        for mount in (hierarchies / controllers, hierarchies / "cpu"):
            yield from _walk_up(mount, path, _quota_v1)


def _walk_up(mount: Path, path: str, read_quota: Callable[[Path], float | None]) -> Iterator[float]:
    """The quotas of a cgroup and its ancestors.

    A container may see the host's path under a mount that begins at its own cgroup, so folders
    that are not there are passed over.
    """
    parts = [part for part in PurePosixPath(path).parts if part not in ("/", "..")]
    for depth in range(len(parts), -1, -1):
        quota = read_quota(mount.joinpath(*parts[:depth]))
        if quota is not None:
            yield quota


def _quota_v2(cgroup: Path) -> float | None:
    """``cpu.max``: "quota period" in microseconds, or "max period"."""
    quota, _, period = (_read(cgroup / "cpu.max") or "").partition(" ")
    return _ratio(quota, period)


def _quota_v1(cgroup: Path) -> float | None:
    """``cpu.cfs_quota_us`` (-1: none) over ``cpu.cfs_period_us``."""
    quota, period = _read(cgroup / "cpu.cfs_quota_us"), _read(cgroup / "cpu.cfs_period_us")
    return _ratio(quota or "", period or "")


def _ratio(quota: str, period: str) -> float | None:
    try:
        ratio = int(quota) / int(period)
    except (ValueError, ZeroDivisionError):
        return None
    return ratio if ratio > 0 else None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return None
