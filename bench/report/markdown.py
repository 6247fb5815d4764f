"""Markdown, and numbers as a table shows them."""

from collections.abc import Sequence

from bench.report.measured import Measured

__all__ = ["ABSENT", "number", "section", "spread", "table"]

ABSENT = "-"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """A table whose first column is text; the others are numbers, aligned right, or text too."""
    ruler = ["---", *["---:" if numbers else "---"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, ruler, *rows))


def section(title: str, *parts: str) -> str:
    """A heading and its paragraphs; empty when all of them are."""
    kept = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *kept]) if kept else ""


def number(value: float | None, unit: str = "") -> str:
    """Three significant digits; whole numbers from 100 on, two digits below 0.1."""
    if value is None:
        return ABSENT
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}{unit}"
    if abs(value) >= 100:
        return f"{value:,.0f}{unit}"
    decimals = 1 if abs(value) >= 10 else 2
    return f"{value:.{decimals}f}{unit}"


def spread(found: Measured | None, unit: str = "") -> str:
    """Median, and in brackets the quartiles."""
    if found is None:
        return ABSENT
    if found.n == 1:
        return number(found.median, unit)
    return f"{number(found.median, unit)} ({number(found.low)} to {number(found.high)})"
