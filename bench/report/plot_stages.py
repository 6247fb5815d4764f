"""Where the time of one request goes, by mix."""

from pathlib import Path
from typing import Any, Final

from bench.harness.results import Results, StageTime
from bench.report.markdown import number
from bench.report.style import OTHERS, OURS, figure
from photic.stages import Stage

__all__ = ["caption", "draw"]

_COLOURS: Final = {
    Stage.ADMIT: OTHERS[3],
    Stage.RECEIVE: OTHERS[5],
    Stage.QUEUE: OTHERS[6],
    Stage.DECODE: OURS,
    Stage.BATCH_WAIT: OTHERS[2],
    Stage.INFER: OTHERS[0],
    Stage.POSTPROCESS: OTHERS[1],
    Stage.RESPOND: OTHERS[4],
}
_LABELLED: Final = 0.04
"""A segment's share of the longest bar, from which on its number fits into it."""


def caption(results: Results) -> str:
    """What the plot shows; empty when there is nothing to draw."""
    if not _alone(results):
        return ""
    return "A request's stages in Photic, one client, as `Server-Timing` tells them."


def draw(results: Results, path: Path) -> None:
    """One stacked bar a mix, from zero: a lone client, so nothing waits for a core."""
    alone = _alone(results)
    mixes = list(dict.fromkeys(time.mix for time in alone))
    means = {(time.mix, time.stage): time.mean_ns / 1e6 for time in alone}
    longest = max(sum(ms for (of, _), ms in means.items() if of == mix) for mix in mixes)
    with figure(path, (10.5, 1.5 + 0.4 * len(mixes)), 1) as (panel,):
        ends = [0.0] * len(mixes)
        for stage, colour in _COLOURS.items():
            widths = [means.get((mix, stage.label), 0.0) for mix in mixes]
            if any(widths):
                bars = panel.barh(
                    mixes, widths, left=ends, label=stage.label, color=colour, height=0.6
                )
                _write_widths(panel, bars, widths, _LABELLED * longest)
            ends = [end + width for end, width in zip(ends, widths, strict=True)]
        panel.set(xlabel="ms of wall time, mean", xlim=(0, None))
        panel.invert_yaxis()
        panel.grid(axis="y", visible=False)
        panel.figure.legend(loc="outside lower center", ncols=len(_COLOURS))


def _alone(results: Results) -> list[StageTime]:
    return [time for time in results.stages if time.clients == 1]


def _write_widths(panel: Any, bars: Any, widths: list[float], least: float) -> None:
    labels = [number(width) if width >= least else "" for width in widths]
    panel.bar_label(bars, labels, label_type="center", color="white", fontweight="bold")
