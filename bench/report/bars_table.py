"""The table of the bars."""

from bench.harness.results import Results
from bench.report.bar import Bar
from bench.report.bars import bars
from bench.report.markdown import ABSENT, section, spread, table

__all__ = ["bars_section"]

NOTE = (
    "Ratios are taken within each round, in which the servers run in turn; given are their median "
    "and quartiles over n rounds. `x`: times the reference. Fewer than five rounds are a hint, no "
    "verdict; memory is read once, and starts are as many as there were."
)


def bars_section(results: Results) -> str:
    """The figures that the project promised, and whether this run shows them."""
    header = ("figure", "bar", "stretch", "measured", "n", "met?")
    return section("The bars", NOTE, table(header, [_row(bar) for bar in bars(results)]))


def _row(bar: Bar) -> tuple[str, ...]:
    sign = "≤" if bar.at_most else "≥"
    return (
        bar.figure,
        f"{sign} {bar.bar:g}{bar.unit}",
        f"{bar.stretch:g}{bar.unit}" if bar.stretch else ABSENT,
        spread(bar.measured, bar.unit),
        str(bar.measured.n) if bar.measured else ABSENT,
        bar.verdict,
    )
