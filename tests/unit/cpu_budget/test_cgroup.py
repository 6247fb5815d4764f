"""Quotas of both versions of cgroups, read from made-up files."""

from pathlib import Path

import pytest

from photic.cpu_budget.cgroup import read_cgroup_quota


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
