"""The open loop: what each server does at a rate that does not wait for it."""

from collections.abc import Iterator
from itertools import groupby

from bench.harness.results import OpenLoopRun, Results
from bench.report.labels import label
from bench.report.markdown import number, section, table
from bench.report.selection import PHOTIC

__all__ = ["batches_section", "capacity_section", "open_section"]

HEADER = (
    "server",
    "rate, req/s",
    "of R",
    "arrived, req/s",
    "p50 ms",
    "p90 ms",
    "p99 ms",
    "good in time",
    "goodput, req/s",
    "errors",
    "CPU-ms a good answer",
    "late issue p99, ms",
    "generator CPU-ms a request",
    "valid",
)
NOTE = (
    "Poisson arrivals. R is the highest rate at which 99 % of the requests are answered within "
    "the deadline. Latencies count from the moment the request was due. Refusals (429, 503) are "
    "errors and in no percentile; one without an answer counts with the deadline. Late issue: "
    "how much later than due the generator sent, its own validity check."
)


def capacity_section(results: Results) -> str:
    """R of each server."""
    header = ("server", "mix", "deadline, ms", "R, req/s", "rates tried")
    rows = [
        (
            label(run.server),
            run.mix,
            number(run.deadline_ms),
            number(run.r),
            ", ".join(_trial(t.rate, t.good_in_deadline, t.issued) for t in run.trials),
        )
        for run in results.capacity
    ]
    return section("Capacity", table(header, rows)) if rows else ""


def _trial(rate: float, good: int, issued: int) -> str:
    return f"{number(rate)}: {100 * good / max(1, issued):.1f} %"


def open_section(results: Results) -> str:
    """All trials, by mix and by whose R the rates are fractions of."""
    tables = [
        f"### {mix}, rates in fractions of {reference}\n\n{table(HEADER, [*map(_row, runs)])}"
        for (mix, reference), runs in _groups(results)
    ]
    return section("Servers, open loop", NOTE, *tables) if tables else ""


def _groups(results: Results) -> Iterator[tuple[tuple[str, str], list[OpenLoopRun]]]:
    def place(run: OpenLoopRun) -> tuple[str, str]:
        return run.mix, run.reference

    def order(run: OpenLoopRun) -> tuple[object, ...]:
        return *place(run), run.server != PHOTIC, run.server, run.rate, run.round

    for key, runs in groupby(sorted(results.open, key=order), key=place):
        yield key, list(runs)


def _row(run: OpenLoopRun) -> tuple[str, ...]:
    latency = run.latency_ns
    good = 100 * run.good_in_deadline / max(1, run.issued)
    return (
        label(run.server),
        number(run.rate),
        f"{run.fraction_of_r:.0%}",
        number(run.issued / run.seconds),
        *(number(ns / 1e6) for ns in (latency.p50, latency.p90, latency.p99)),
        f"{good:.1f} %",
        number(run.goodput),
        ", ".join(f"{count} x {status}" for status, count in run.errors.items()) or "0",
        number(run.cpu_ns_per_good / 1e6),
        number(run.late_issue_ns.p99 / 1e6),
        number(run.generator_cpu_ns / 1e6),
        "yes" if run.valid else f"no: {run.why_invalid}",
    )


def batches_section(results: Results) -> str:
    """How large the batches were that Photic formed, as shares of its runs."""
    runs = [run for _, group in _groups(results) for run in group if run.batch_sizes and run.valid]
    sizes = sorted({int(size) for run in runs for size in run.batch_sizes})
    header = ("server", "mix", "rate, req/s", "of R", "p99 ms", "runs", *map(str, sizes), "alone")
    rows = [_batch_row(run, sizes) for run in runs]
    note = (
        "Share of inference runs by batch size. Alone: runs of a lone image on all cores, by the "
        "latency session."
    )
    return section("Batch sizes", note, table(header, rows)) if rows else ""


def _batch_row(run: OpenLoopRun, sizes: list[int]) -> tuple[str, ...]:
    total = sum(run.batch_sizes.values())
    counts = [run.batch_sizes.get(str(size), 0) for size in sizes]
    shares = [f"{100 * count / max(1, total):.1f} %" for count in (*counts, run.alone)]
    fraction = f"{run.fraction_of_r:.0%} of {run.reference}"
    p99 = number(run.latency_ns.p99 / 1e6)
    return (label(run.server), run.mix, number(run.rate), fraction, p99, str(total), *shares)
