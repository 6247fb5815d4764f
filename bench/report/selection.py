"""Picks runs out of the results."""

from typing import Final

from bench.harness.results import ClosedLoopRun, OpenLoopRun, Results
from bench.report.measured import by_round

__all__ = [
    "BUSY",
    "CLOSED_FIGURES",
    "MEGAPIXELS",
    "PHOTIC",
    "ROLES",
    "closed",
    "closed_by_round",
    "floor_by_round",
    "mix_of_role",
    "mixes",
    "open_at",
    "preprocess_by_round",
    "servers",
]

ROLES: Final = {"labelled": "small", "cc0": "medium", "camera": "large"}
"""The mixes that the bars speak of, and the default ones of that size."""

MEGAPIXELS: Final = {"labelled": "0.2", "cc0": "1.1", "camera": "13"}
"""About, of a photo of these mixes and of those that stand for them."""

PHOTIC: Final = "photic"
BUSY: Final = 8
"""Clients of the closed loop, where the figures of a busy server are taken."""


def mix_of_role(results: Results, role: str) -> str:
    """The mix of that size in this run: the named one, else the default one."""
    present = mixes(results)
    return role if role in present or ROLES[role] not in present else ROLES[role]


def mixes(results: Results) -> list[str]:
    """In the order in which they were measured."""
    names = [run.mix for runs in (results.closed, results.preprocess) for run in runs]
    return list(dict.fromkeys([*results.settings.mixes, *names]))


def servers(results: Results) -> list[str]:
    """Photic first, then as they were measured."""
    names = [run.server for runs in (results.closed, results.open) for run in runs]
    return sorted(dict.fromkeys(names), key=lambda name: name != PHOTIC)


def closed(results: Results, server: str, mix: str, clients: int) -> list[ClosedLoopRun]:
    return [
        run
        for run in results.closed
        if (run.server, run.mix, run.clients) == (server, mix, clients)
    ]


CLOSED_FIGURES: Final = {
    "cpu_ms": lambda run: run.cpu_ns_per_good / 1e6,
    "per_s": lambda run: run.requests_per_s,
    "p50_ms": lambda run: run.latency_ns.p50 / 1e6,
    "p99_ms": lambda run: run.latency_ns.p99 / 1e6,
}
"""What a closed-loop run says, each as a number for a table."""


def closed_by_round(
    results: Results, server: str, mix: str, clients: int, figure: str
) -> dict[int, float]:
    """A figure of `CLOSED_FIGURES` by round."""
    return by_round(closed(results, server, mix, clients), CLOSED_FIGURES[figure])


def open_at(
    results: Results, server: str, mix: str, fraction: float, reference: str
) -> list[OpenLoopRun]:
    """The valid trials at that fraction of `reference`'s R."""
    return [
        run
        for run in results.open
        if (run.server, run.mix, run.reference) == (server, mix, reference)
        and abs(run.fraction_of_r - fraction) < 1e-6
        and run.valid
    ]


def preprocess_by_round(results: Results, name: str, mix: str) -> dict[int, float]:
    """CPU milliseconds a photo."""
    runs = [run for run in results.preprocess if (run.name, run.mix) == (name, mix)]
    return by_round(runs, lambda run: run.cpu_ns_per_photo / 1e6)


def floor_by_round(results: Results, concurrent: int) -> dict[int, float]:
    """CPU milliseconds of one inference by ONNX Runtime alone, so many at once on a thread each."""
    runs = [run for run in results.ort_floor if run.concurrent == concurrent]
    return by_round(runs, lambda run: run.cpu_ns_per_inference / 1e6)
