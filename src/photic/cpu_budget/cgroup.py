"""The CPU quota of the cgroup (version 1 or 2) that this process lives in."""

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

__all__ = ["read_cgroup_quota"]


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
