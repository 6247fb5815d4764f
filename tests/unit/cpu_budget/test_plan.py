"""The tables of the plan: cores, quotas and what was asked for, to threads and reasons."""

import pytest

from photic.cpu_budget import plan_cpus
from photic.cpu_budget.plan import plan_for
from photic.cpu_budget.share import CpuShare
from photic.settings import CpuSettings


@pytest.mark.parametrize(
    ("share", "cpus", "workers", "latency"),
    [
        ((1, None, 0), 1, 1, 1),
        ((2, None, 0), 2, 2, 2),
        ((4, None, 0), 4, 4, 4),
        ((16, None, 0), 16, 16, 8),
        ((64, None, 0), 64, 64, 8),
        # a quota below the mask counts, rounded, but never to nothing
        ((64, 0.5, 0), 0.5, 1, 1),
        ((64, 1.0, 0), 1, 1, 1),
        ((64, 1.25, 0), 1.25, 1, 1),
        ((64, 1.5, 0), 1.5, 2, 1),
        ((64, 2.0, 0), 2, 2, 2),
        ((64, 2.4, 0), 2.4, 2, 2),
        ((64, 2.5, 0), 2.5, 3, 2),
        ((64, 4.0, 0), 4, 4, 4),
        ((64, 16.0, 0), 16, 16, 8),
        # a mask below the quota counts
        ((2, 8.0, 0), 2, 2, 2),
        ((1, 1.5, 0), 1, 1, 1),
        # what is asked for wins, in both directions
        ((64, None, 1), 1, 1, 1),
        ((64, None, 1.5), 1.5, 2, 1),
        ((64, None, 4), 4, 4, 4),
        ((64, None, 16), 16, 16, 8),
        ((2, None, 8), 8, 8, 2),
        ((64, 2.0, 1.5), 1.5, 2, 1),
        ((16, 2.0, 4), 4, 4, 2),
        ((4, None, 0.25), 0.25, 1, 1),
    ],
)
def test_threads_follow_the_share(
    share: tuple[int, float | None, float], cpus: float, workers: int, latency: int
) -> None:
    plan = plan_for(CpuShare(*share))
    assert (plan.cpus, plan.workers, plan.latency_threads) == (cpus, workers, latency)
    assert (plan.intra_op_threads, plan.server_threads) == (1, 1)


@pytest.mark.parametrize(
    ("affinity", "asked", "threads", "reason"),
    [
        (1, 0, 1, "one CPU"),
        (1, 4, 1, "one CPU"),
        (2, 0, 2, "all CPUs"),
        (16, 0, 8, "at most 8 unasked"),
        (16, 1, 1, "latency_threads = 1: no session"),
        (16, 4, 4, "latency_threads = 4"),
        (16, 12, 12, "latency_threads = 12"),
        (16, 32, 16, "latency_threads = 32, but there are no more CPUs"),
    ],
)
def test_threads_for_a_lone_request(affinity: int, asked: int, threads: int, reason: str) -> None:
    plan = plan_for(CpuShare(affinity), latency_threads=asked)
    assert plan.latency_threads == threads
    assert reason in plan.reasons.latency_threads


@pytest.mark.parametrize(
    ("share", "reason"),
    [
        (CpuShare(2), "one for each CPU"),
        (CpuShare(64, 1.25), "1.25 CPUs rounded: one more would stop all threads"),
        (CpuShare(64, 1.5), "1.5 CPUs rounded: half a CPU idle costs more"),
        (CpuShare(64, None, 2.5), "2.5 CPUs rounded: half a CPU idle costs more"),
        (CpuShare(64, 0.5), "0.5 of a CPU, and there must be one"),
    ],
)
def test_why_so_many_workers(share: CpuShare, reason: str) -> None:
    assert plan_for(share).reasons.workers.startswith(reason)


@pytest.mark.parametrize(
    ("share", "warning"),
    [
        (CpuShare(2), None),
        (CpuShare(64, 1.5), None),
        (CpuShare(64, None, 8), None),
        (CpuShare(2, None, 2), None),
        (CpuShare(2, None, 8), "cpu.cpus = 8 is more than there is (2 CPUs): threads will wait"),
        (CpuShare(64, 2.0, 8), "cpu.cpus = 8 is more than there is (2 CPUs): threads will be stop"),
        (CpuShare(64, 0.5), "0.5 CPUs cannot keep one worker running"),
        (CpuShare(64, 0.5, 0.25), "0.5 CPUs cannot keep one worker running"),
    ],
)
def test_warnings(share: CpuShare, warning: str | None) -> None:
    warnings = plan_for(share).warnings
    if warning is None:
        assert warnings == ()
    else:
        assert len(warnings) == 1
        assert warnings[0].startswith(warning)


@pytest.mark.parametrize(
    ("share", "summary"),
    [
        (
            CpuShare(2),
            (
                "2 workers with 1 ONNX Runtime thread each, 2 for a lone request: "
                "2 CPUs in the affinity mask, no cgroup quota"
            ),
        ),
        (
            CpuShare(64, 1.5),
            (
                "2 workers with 1 ONNX Runtime thread each: "
                "64 CPUs in the affinity mask, a cgroup quota of 1.5 CPUs"
            ),
        ),
        (
            CpuShare(1, None, 2),
            (
                "2 workers with 1 ONNX Runtime thread each: "
                "cpu.cpus = 2; 1 CPU in the affinity mask, no cgroup quota"
            ),
        ),
    ],
)
def test_the_line_for_the_log(share: CpuShare, summary: str) -> None:
    assert plan_for(share).summary == summary


def test_this_machine_has_a_plan() -> None:
    assert plan_cpus(CpuSettings()).workers >= 1
    plan = plan_cpus(CpuSettings(cpus=3), latency_threads=2)
    assert (plan.workers, plan.latency_threads) == (3, 2)
