"""A real cgroup with a CPU quota, for the tests that may make one."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MOUNT = Path("/sys/fs/cgroup")
PERIOD_US = 100_000


@contextmanager
def cpu_cgroup(version: int, cpus: float) -> Iterator[tuple[str, ...]]:
    """Make a cgroup; gives a command that moves itself there and then runs its arguments.

    Skips the test where the controller is not there or not ours.
    """
    parent = _parent(version)
    group = parent / f"photic-test-{uuid.uuid4().hex[:8]}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no cgroup can be made below {parent}: {error.strerror}")
    try:
        _limit(group, version, round(cpus * PERIOD_US))
        yield ("sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh")
    finally:
        group.rmdir()


def _parent(version: int) -> Path:
    """This process's own cgroup in the hierarchy that has the cpu controller."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if version == 1 and "cpu" in controllers.split(","):
            return MOUNT / controllers / path.lstrip("/")
        if version == 2 and controllers == "":
            group = MOUNT / path.lstrip("/")
            if "cpu" in _words(group / "cgroup.controllers"):
                return group
    pytest.skip(f"the cpu controller is not in a cgroup hierarchy of version {version} here")


def _limit(group: Path, version: int, quota_us: int) -> None:
    if version == 1:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota_us))
        return
    try:
        if not (group / "cpu.max").exists():
            (group.parent / "cgroup.subtree_control").write_text("+cpu")
        (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    except OSError as error:
        pytest.skip(f"{group.parent} does not hand on its cpu controller: {error.strerror}")


def _words(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []
