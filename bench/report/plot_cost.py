"""The CPU time of an answer, by server and mix."""

from pathlib import Path
from statistics import median
from typing import Any

from bench.harness.results import Results
from bench.report.labels import plain_label
from bench.report.markdown import number
from bench.report.measured import Measured, measured
from bench.report.selection import BUSY, closed_by_round, floor_by_round, mixes, servers
from bench.report.style import OTHERS, OURS, figure

__all__ = ["caption", "draw"]


def caption(results: Results) -> str:
    """What the plot shows; empty when there is nothing to draw."""
    if not _shown(results):
        return ""
    return (
        f"CPU time of the server's process tree for each good answer, {BUSY} clients: medians, "
        "quartiles as whiskers. The dotted line is ONNX Runtime alone, the part that all share."
    )


def draw(results: Results, path: Path) -> None:
    """One panel a mix, each with its own scale from zero."""
    shown = _shown(results)
    names = list(dict.fromkeys(server for cost in shown.values() for server in cost))
    floor = floor_by_round(results, results.fingerprint.cpus)
    with figure(path, (10.5, 0.9 + 0.32 * len(names)), len(shown)) as panels:
        for panel, (mix, cost) in zip(panels, shown.items(), strict=True):
            _bars(panel, names, cost)
            panel.set(title=mix, xlabel="CPU-ms an answer", xlim=(0, None))
            if floor:
                panel.axvline(median(floor.values()), color="black", linestyle=":")
        for panel in panels[1:]:
            panel.set_yticklabels([])


def _shown(results: Results) -> dict[str, dict[str, Measured]]:
    """By mix and server."""
    costs = {mix: _costs(results, mix) for mix in mixes(results)}
    return {mix: cost for mix, cost in costs.items() if cost}


def _costs(results: Results, mix: str) -> dict[str, Measured]:
    found = {
        server: measured([*closed_by_round(results, server, mix, BUSY, "cpu_ms").values()])
        for server in servers(results)
    }
    return {server: cost for server, cost in found.items() if cost}


def _bars(panel: Any, names: list[str], cost: dict[str, Measured]) -> None:
    places = [(place, cost[name]) for place, name in enumerate(names) if name in cost]
    rows, found = zip(*places, strict=True)
    widths = [c.median for c in found]
    whiskers = [
        [c.median - c.low for c in found],
        [c.high - c.median for c in found],
    ]
    colours = [OURS if row == 0 else OTHERS[0] for row in rows]
    drawn = panel.barh(rows, widths, xerr=whiskers, color=colours, error_kw={"linewidth": 1})
    panel.bar_label(drawn, [number(width) for width in widths], padding=4)
    panel.set_yticks(range(len(names)), [plain_label(name) for name in names])
    panel.set_ylim(len(names) - 0.5, -0.5)
    panel.margins(x=0.18)
    panel.grid(axis="y", visible=False)
