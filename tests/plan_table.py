"""The table of CPU plans in docs/operations.md; `python tests/plan_table.py` prints it."""

from photic.cpu_budget.plan import plan_for
from photic.cpu_budget.share import CpuShare

SHARES = (
    CpuShare(1),
    CpuShare(2),
    CpuShare(4),
    CpuShare(16),
    CpuShare(64),
    CpuShare(64, 0.5),
    CpuShare(64, 1),
    CpuShare(64, 1.25),
    CpuShare(64, 1.5),
    CpuShare(64, 4),
    CpuShare(64, None, 1),
    CpuShare(64, None, 8),
)
HEAD = (
    "| CPUs | quota | `--cpus` | workers | latency threads | processes |",
    "|---:|---:|---:|---:|---:|---|",
)


def table() -> str:
    """Markdown, one row a share."""
    return "\n".join([*HEAD, *map(row, SHARES)])


def row(share: CpuShare) -> str:
    plan = plan_for(share)
    each = " + ".join(map(str, plan.replicas))
    cells = (
        share.affinity,
        "-" if share.quota is None else f"{share.quota:g}",
        f"{share.asked:g}" if share.asked else "-",
        plan.workers,
        plan.latency_threads,
        f"{len(plan.replicas)}: {each}" if plan.replicas else "1",
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    print(table())  # noqa: T201 -- a command
