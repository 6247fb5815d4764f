"""The CPU plan for people: the threads and why, warnings, and when to run several processes."""

from collections.abc import Iterator
from typing import Final

import msgspec

from photic.cpu_budget import CpuPlan

__all__ = ["CPU_COLUMNS", "cpu_notes", "cpu_rows"]

CPU_COLUMNS: Final = ("Threads", "Number", "Why")

_NAMES: Final = {
    "workers": "workers",
    "intra_op_threads": "ONNX Runtime, each run",
    "latency_threads": "ONNX Runtime, lone request",
    "server_threads": "HTTP server",
}


def cpu_rows(plan: CpuPlan) -> Iterator[tuple[str, str, str]]:
    """What there is, how many, and why."""
    for field, reason in msgspec.structs.asdict(plan.reasons).items():
        yield _NAMES[field], str(getattr(plan, field)), reason


def cpu_notes(plan: CpuPlan, port: int) -> Iterator[str]:
    """Warnings, and the commands of several processes where one is too small.

    Args:
        plan: The plan.
        port: ``server.port``, which would be the balancer's.
    """
    yield from (f"Warning: {warning}" for warning in plan.warnings)
    if not plan.replicas:
        return
    ports = [(port or 8000) + 1 + number for number in range(len(plan.replicas))]
    yield (
        f"One event loop may not feed {sum(plan.replicas)} workers when a prediction takes 10 ms "
        f"or less. Run {len(plan.replicas)} processes behind a balancer that prefers the one with "
        "the fewest connections, each with your other settings:"
    )
    for each, cpus in zip(ports, plan.replicas, strict=True):
        yield f"  photic serve --port {each} --cpus {cpus}"
    servers = " ".join(f"server 127.0.0.1:{each};" for each in ports)
    yield f"For nginx:\n  upstream photic {{ least_conn; {servers} }}"
