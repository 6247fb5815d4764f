"""The share of the machine that this process may use.

The affinity mask (``taskset``, cpuset cgroups) says which CPUs it may run on; a cgroup quota
(containers) says how much CPU time it gets. The smaller one counts.
"""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from photic.cpu_budget.cgroup import read_cgroup_quota

__all__ = ["CpuShare", "read_share"]

_MEMBERSHIP: Final = Path("/proc/self/cgroup")
_HIERARCHIES: Final = Path("/sys/fs/cgroup")


class CpuShare(Struct, frozen=True):
    """What the machine gives, and what the user asked for.

    Attributes:
        affinity: CPUs in the affinity mask.
        quota: CPUs that the cgroup allows, or None.
        asked: ``cpu.cpus``; 0 means not set.
    """

    affinity: int
    quota: float | None = None
    asked: float = 0.0

    @property
    def available(self) -> float:
        """CPUs that there are, whatever was asked for."""
        return float(self.affinity if self.quota is None else min(self.affinity, self.quota))

    @property
    def cpus(self) -> float:
        """CPUs to plan for; a quota may give a fraction."""
        return self.asked or self.available

    def __str__(self) -> str:
        limit = "no cgroup quota" if self.quota is None else f"a cgroup quota of {cpus(self.quota)}"
        machine = f"{cpus(self.affinity)} in the affinity mask, {limit}"
        return f"cpu.cpus = {self.asked:g}; {machine}" if self.asked else machine


def read_share(asked: float) -> CpuShare:
    """The share at this moment; a quota that changes later is not noticed."""
    return CpuShare(_count_affinity(), read_cgroup_quota(_MEMBERSHIP, _HIERARCHIES), asked)


def cpus(count: float) -> str:
    """As one says it: "1 CPU", "1.5 CPUs"."""
    return f"{count:g} CPU" if count == 1 else f"{count:g} CPUs"


def _count_affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
