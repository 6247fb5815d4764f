"""Any of our JSON files to a list of named figures, for comparing two of them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from bench.guard.baseline import Counts
from bench.harness.results import OpenLoopRun, Results
from bench.report.bars import bars
from bench.report.measured import Measured, measured
from bench.report.micro_table import Micro, milliseconds, parse_micro
from bench.report.selection import CLOSED_FIGURES, closed_by_round, preprocess_by_round, servers

__all__ = ["Figure", "figures"]


class Figure(Struct, frozen=True):
    """A name that two files share when they measured the same, and the value."""

    name: str
    measured: Measured
    lower_is_better: bool = True
    exact: bool = False
    """Counted, not timed: any difference is one."""


def figures(text: bytes) -> list[Figure]:
    """The figures of a results.json, of pytest-benchmark's JSON or of the guard's baseline.

    Raises:
        ValueError: It is none of them; msgspec's errors are such.
    """
    document: Any = msgspec.json.decode(text)
    if isinstance(document, list):
        return _guard_figures(msgspec.convert(document, list[Counts]))
    if "benchmarks" in document:
        return _micro_figures(parse_micro(text))
    if "fingerprint" in document:
        return [*_run_figures(msgspec.convert(document, Results))]
    raise ValueError("neither results.json, nor pytest-benchmark's JSON, nor a guard's baseline")


def _guard_figures(known: list[Counts]) -> list[Figure]:
    return [
        Figure(
            f"instructions, {name}, {counts.toolchain.compiler}, {counts.toolchain.libjpeg}",
            Measured(*[float(count.instructions)] * 3, n=1),
            exact=True,
        )
        for counts in known
        for name, count in counts.photos.items()
    ]


def _micro_figures(benchmarks: list[Micro]) -> list[Figure]:
    return [Figure(f"{micro.name}, ms", milliseconds(micro.stats)) for micro in benchmarks]


def _run_figures(results: Results) -> Iterator[Figure]:
    """What noise disturbs least comes first: ratios within rounds, then CPU time, then the rest."""
    for bar in bars(results):
        if bar.measured:
            yield Figure(f"{bar.figure},{bar.unit}", bar.measured, bar.at_most)
    for figure in CLOSED_FIGURES:
        yield from _closed_figures(results, figure)
    yield from _preprocess_figures(results)
    yield from _open_figures(results)
    for run in results.capacity:
        name = f"{run.server}, {run.mix}: R, req/s"
        yield Figure(name, Measured(run.r, run.r, run.r, 1), lower_is_better=False)


def _closed_figures(results: Results, figure: str) -> Iterator[Figure]:
    cases = dict.fromkeys((run.mix, run.clients) for run in results.closed)
    for mix, clients in cases:
        for server in servers(results):
            found = measured([*closed_by_round(results, server, mix, clients, figure).values()])
            if found:
                name = f"{server}, {mix}, {clients} clients: {figure}"
                yield Figure(name, found, lower_is_better=figure != "per_s")


def _preprocess_figures(results: Results) -> Iterator[Figure]:
    for name, mix in dict.fromkeys((run.name, run.mix) for run in results.preprocess):
        found = measured([*preprocess_by_round(results, name, mix).values()])
        if found:
            yield Figure(f"preprocessing with {name}, {mix}: CPU-ms a photo", found)


def _open_figures(results: Results) -> Iterator[Figure]:
    """By fraction of R, since R itself is measured anew in every run."""
    trials: dict[str, list[OpenLoopRun]] = defaultdict(list)
    for run in results.open:
        if run.valid:
            at = f"{run.fraction_of_r:.0%} of {run.reference}"
            trials[f"{run.server}, {run.mix}, open loop at {at}"].append(run)
    for name, runs in trials.items():
        p99 = measured([run.latency_ns.p99 / 1e6 for run in runs])
        goodput = measured([run.goodput for run in runs])
        if p99 and goodput:
            yield Figure(f"{name}: p99_ms", p99)
            yield Figure(f"{name}: goodput, per s", goodput, lower_is_better=False)
