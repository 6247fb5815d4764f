"""The plots of a run."""

from pathlib import Path
from typing import Final

from bench.harness.results import Results
from bench.report import plot_cost, plot_latency, plot_stages

__all__ = ["LATENCY_PLOT", "captions", "draw_plots"]

LATENCY_PLOT: Final = "latency.png"
_PLOTS: Final = {LATENCY_PLOT: plot_latency, "cost.png": plot_cost, "stages.png": plot_stages}


def captions(results: Results) -> dict[str, str]:
    """File name to what it shows, of all plots for which there are figures."""
    found = {name: plot.caption(results) for name, plot in _PLOTS.items()}
    return {name: caption for name, caption in found.items() if caption}


def draw_plots(results: Results, folder: Path) -> None:
    """Draws those that have a caption."""
    for name in captions(results):
        _PLOTS[name].draw(results, folder / name)
