"""Latency and goodput against the load that was offered."""

from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from matplotlib.ticker import LogLocator, NullLocator

from bench.harness.results import OpenLoopRun, Results
from bench.peers.registry import SERVERS
from bench.report.labels import plain_label
from bench.report.selection import mix_of_role, servers
from bench.report.style import figure, look

__all__ = ["caption", "draw"]

PANELS = (
    ("p50, ms", lambda run: run.latency_ns.p50 / 1e6),
    ("p99, ms", lambda run: run.latency_ns.p99 / 1e6),
    ("good answers in time, per s", lambda run: run.goodput),
)


def caption(results: Results) -> str:
    """What the plot shows; empty when there is nothing to draw."""
    runs = _runs(results)
    if not runs:
        return ""
    return (
        f"Open loop, Poisson arrivals, {runs[0].mix}: latency (logarithmic) of the requests that "
        "were not refused, counted from the moment each was due, and good answers within the "
        f"deadline of {runs[0].deadline_ms:,.0f} ms, against the offered load."
    )


def draw(results: Results, path: Path) -> None:
    """One line a server, over all rates that it was offered; the smallest mix."""
    runs = _runs(results)
    with figure(path, (10.5, 3.9), len(PANELS)) as panels:
        for panel, (title, value) in zip(panels, PANELS, strict=True):
            for position, server in enumerate(servers(results)):
                points = _points([run for run in runs if run.server == server], value)
                if points:
                    panel.plot(
                        *zip(*points, strict=True), label=plain_label(server), **look(position)
                    )
            panel.set(xlabel="offered, requests per s", title=title, xlim=(0, None))
        _finish(panels, runs)


def _runs(results: Results) -> list[OpenLoopRun]:
    """Valid trials of the servers as they are by default."""
    mix = mix_of_role(results, "labelled")
    return [run for run in results.open if run.mix == mix and run.valid and run.server in SERVERS]


def _points(runs: list[OpenLoopRun], value: Any) -> list[tuple[float, float]]:
    """What arrived a second, and the value; of rounds at one rate the medians."""
    rounds: dict[float, list[OpenLoopRun]] = defaultdict(list)
    for run in runs:
        rounds[run.rate].append(run)
    return [
        (median(map(_arrived, rounds[rate])), median(map(value, rounds[rate])))
        for rate in sorted(rounds)
    ]


def _arrived(run: OpenLoopRun) -> float:
    """Poisson arrivals are as many as the rate says only on average."""
    return run.issued / run.seconds


def _finish(panels: Any, runs: list[OpenLoopRun]) -> None:
    """Scales that two panels share, the deadline, the line of a perfect server, one legend."""
    *latencies, goodput = panels
    least = min(run.latency_ns.p50 for run in runs) / 1e6
    deadline_ms = max(run.deadline_ms for run in runs)
    for panel in latencies:
        panel.set_yscale("log")
        panel.set_ylim(least / 1.5, 1.5 * deadline_ms)
        panel.axhline(deadline_ms, color="#7f7f7f", linestyle=":", linewidth=1)
        panel.annotate("deadline", (0, deadline_ms), xytext=(3, 3), textcoords="offset points")
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_locator(NullLocator())
    most = max(map(_arrived, runs))
    goodput.plot([0, most], [0, most], color="#7f7f7f", linestyle=":", linewidth=1)
    goodput.set_ylim(0, 1.15 * max(run.goodput for run in runs))
    handles, labels = goodput.get_legend_handles_labels()
    goodput.figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)))
