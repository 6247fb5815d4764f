"""When one process is too small, and how its workers are dealt out."""

import pytest

from photic.cpu_budget.plan import plan_for
from photic.cpu_budget.replicas import MOST_WORKERS, split
from photic.cpu_budget.share import CpuShare


@pytest.mark.parametrize(
    ("workers", "replicas"),
    [
        (1, ()),
        (12, ()),
        (13, (7, 6)),
        (16, (8, 8)),
        (24, (12, 12)),
        (25, (9, 8, 8)),
        (64, (11, 11, 11, 11, 10, 10)),
    ],
)
def test_as_few_processes_as_will_do(workers: int, replicas: tuple[int, ...]) -> None:
    assert split(workers) == replicas


def test_all_workers_are_dealt_out_evenly() -> None:
    for workers in range(MOST_WORKERS + 1, 1025):
        replicas = split(workers)
        assert sum(replicas) == workers
        assert max(replicas) <= MOST_WORKERS
        assert max(replicas) - min(replicas) <= 1


@pytest.mark.parametrize(
    ("share", "count"), [(CpuShare(64), 6), (CpuShare(64, None, 8), 0), (CpuShare(2, None, 64), 0)]
)
def test_the_plan_says_so(share: CpuShare, count: int) -> None:
    assert len(plan_for(share).replicas) == count
