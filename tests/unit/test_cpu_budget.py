from pathlib import Path

import pytest

from photic.cpu_budget import plan_cpus, plan_for, read_cgroup_quota
from photic.settings import CpuSettings


@pytest.mark.parametrize(
    ("affinity", "quota", "asked", "cpus", "workers"),
    [
        (1, None, 0, 1, 1),
        (2, None, 0, 2, 2),
        (4, None, 0, 4, 4),
        (16, None, 0, 16, 16),
        (64, None, 0, 64, 64),
        # a quota below the mask counts, rounded down, but never to nothing
        (64, 0.5, 0, 0.5, 1),
        (64, 1.0, 0, 1, 1),
        (64, 1.5, 0, 1.5, 1),
        (64, 2.0, 0, 2, 2),
        (64, 2.5, 0, 2.5, 2),
        # a mask below the quota counts
        (2, 8.0, 0, 2, 2),
        # what is asked for wins, in both directions
        (64, None, 4, 4, 4),
        (2, None, 8, 8, 8),
        (64, 2.0, 1.5, 1.5, 1),
        (4, None, 0.25, 0.25, 1),
    ],
)
def test_workers_follow_the_share(
    affinity: int, quota: float | None, asked: float, cpus: float, workers: int
) -> None:
    plan = plan_for(affinity=affinity, quota=quota, asked=asked)
    assert (plan.cpus, plan.workers) == (cpus, workers)
    assert (plan.intra_op_threads, plan.server_threads) == (1, 1)


@pytest.mark.parametrize(
    ("affinity", "quota", "asked", "reason"),
    [
        (2, None, 0, "2 workers: 2 CPUs in the affinity mask, no cgroup quota"),
        (1, None, 0, "1 worker: 1 CPU in the affinity mask, no cgroup quota"),
        (64, 1.5, 0, "1 worker: 64 CPUs in the affinity mask, a cgroup quota of 1.5 CPUs"),
        (2, None, 4, "4 workers: cpu.cpus = 4 (2 CPUs in the affinity mask, no cgroup quota)"),
    ],
)
def test_the_reason_tells_the_numbers(
    affinity: int, quota: float | None, asked: float, reason: str
) -> None:
    assert plan_for(affinity=affinity, quota=quota, asked=asked).reason == reason


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(tmp_path: Path, membership: str, files: dict[str, str]) -> float | None:
    write(tmp_path / "cgroup", membership)
    for name, text in files.items():
        write(tmp_path / "sys" / name, text)
    return read_cgroup_quota(tmp_path / "cgroup", tmp_path / "sys")


V1 = "cpu.cfs_quota_us"
PERIOD = "cpu.cfs_period_us"


@pytest.mark.parametrize(
    ("membership", "files", "quota"),
    [
        pytest.param("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5, id="v2 in a container"),
        pytest.param("0::/a\n", {"a/cpu.max": "max 100000\n"}, None, id="v2 without quota"),
        pytest.param(
            "0::/a/b\n",
            {"a/cpu.max": "50000 100000\n", "a/b/cpu.max": "200000 100000\n"},
            0.5,
            id="v2, the parent is tighter",
        ),
        pytest.param(
            "0::/a/b\n", {"a/b/cpu.max": "250000 100000"}, 2.5, id="v2, parents without files"
        ),
        pytest.param("0::/../x\n", {"x/cpu.max": "100000 100000"}, 1.0, id="v2, outside the root"),
        pytest.param(
            "4:cpu,cpuacct:/d\n0::/d\n",
            {f"cpu,cpuacct/d/{V1}": "300000\n", f"cpu,cpuacct/d/{PERIOD}": "100000\n"},
            3.0,
            id="v1",
        ),
        pytest.param(
            "4:cpu:/docker/1234\n",
            {f"cpu/{V1}": "50000\n", f"cpu/{PERIOD}": "100000\n"},
            0.5,
            id="v1, the host's path in a container",
        ),
        pytest.param(
            "4:cpu:/d\n", {f"cpu/d/{V1}": "-1\n", f"cpu/d/{PERIOD}": "100000"}, None, id="v1, none"
        ),
        pytest.param(
            "3:cpuset:/d\n", {f"cpu/d/{V1}": "1000", f"cpu/d/{PERIOD}": "1000"}, None, id="not cpu"
        ),
        pytest.param("0::/a:b\n", {"a:b/cpu.max": "100000 100000"}, 1.0, id="a colon in the path"),
        pytest.param("0::/\n", {"cpu.max": "nonsense"}, None, id="nonsense"),
        pytest.param("0::/\n", {"cpu.max": "100000 0"}, None, id="a period of zero"),
        pytest.param("", {}, None, id="no cgroup"),
        pytest.param("broken\n", {}, None, id="a broken line"),
    ],
)
def test_reads_the_tightest_quota(
    tmp_path: Path, membership: str, files: dict[str, str], quota: float | None
) -> None:
    assert read(tmp_path, membership, files) == quota


def test_no_proc_at_all(tmp_path: Path) -> None:
    assert read_cgroup_quota(tmp_path / "none", tmp_path) is None


def test_this_machine_has_a_plan() -> None:
    assert plan_cpus(CpuSettings()).workers >= 1
    assert plan_cpus(CpuSettings(cpus=3)).workers == 3
