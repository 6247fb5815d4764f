"""From the share of the machine to threads."""

import math
from typing import Final

from msgspec import Struct

from photic.cpu_budget.reasons import Reasons, reasons_for, warnings_for
from photic.cpu_budget.replicas import split
from photic.cpu_budget.share import CpuShare, read_share
from photic.settings import CpuSettings

__all__ = ["CpuPlan", "plan_cpus", "plan_for"]

MOST_LATENCY_THREADS: Final = 8
"""Beyond these, one run of a small model gains little from another thread."""

SERVER_THREADS: Final = 1
"""Embedded, Granian always has one thread for sockets: a fact to report, not a choice."""


class CpuPlan(Struct, frozen=True):
    """What the process does with its share of the machine.

    Attributes:
        cpus: CPUs to plan for; a quota may give a fraction.
        workers: Worker threads; each decodes and infers.
        intra_op_threads: ONNX Runtime's threads for each inference.
        latency_threads: Threads of the session for a lone request; 1: no such session.
        server_threads: Threads that read and write sockets; always one.
        share: Where the CPUs come from, in words.
        reasons: Why each number is what it is.
        warnings: What the user should change, a sentence each.
        replicas: CPUs of each process, were there several; empty: one process is right.
    """

    cpus: float
    workers: int
    intra_op_threads: int
    latency_threads: int
    server_threads: int = SERVER_THREADS
    share: str = ""
    reasons: Reasons = Reasons()
    warnings: tuple[str, ...] = ()
    replicas: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """One line for the log."""
        workers = f"{self.workers} worker" + ("" if self.workers == 1 else "s")
        alone = f", {self.latency_threads} for a lone request" if self.latency_threads > 1 else ""
        return (
            f"{workers} with {self.intra_op_threads} ONNX Runtime thread each{alone}: {self.share}"
        )


def plan_cpus(settings: CpuSettings, *, latency_threads: int = 0) -> CpuPlan:
    """Plan for this process, from its affinity mask, its cgroup quota and ``cpu.cpus``.

    Args:
        settings: The cpu section.
        latency_threads: ``inference.latency_threads``; 0 means as planned.
    """
    return plan_for(read_share(settings.cpus), latency_threads=latency_threads)


def plan_for(share: CpuShare, *, latency_threads: int = 0) -> CpuPlan:
    """The plan as a pure function of what the machine says.

    Workers are the CPUs, rounded. A worker more than a quota covers has all threads stopped at the
    end of each period, a worker fewer leaves a part of the quota unused: at half a CPU and more
    that costs more than the stops do.

    Args:
        share: What the machine gives.
        latency_threads: As for ``plan_cpus``.
    """
    workers = max(1, math.floor(share.cpus + 0.5))
    real = max(1, math.floor(min(share.cpus, share.available)))  # what --cpus does not make more
    return CpuPlan(
        cpus=share.cpus,
        workers=workers,
        intra_op_threads=1,
        latency_threads=min(real, latency_threads or MOST_LATENCY_THREADS),
        share=str(share),
        reasons=reasons_for(share, workers, real, latency_threads, MOST_LATENCY_THREADS),
        warnings=warnings_for(share, workers),
        replicas=split(real),
    )
