"""How many CPUs Photic may use, and what it does with them (docs/adr/0009-cpu-plan.md)."""

from photic.cpu_budget.plan import CpuPlan, plan_cpus
from photic.cpu_budget.reasons import Reasons

__all__ = ["CpuPlan", "Reasons", "plan_cpus"]
