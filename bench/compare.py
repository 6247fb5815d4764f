"""`python -m bench.compare A.json B.json`: what changed from A to B.

Both files are results.json of two runs, or pytest-benchmark's JSON, or the guard's baselines.
"""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from bench.report.figures import Figure, figures
from bench.report.markdown import number

__all__ = ["Change", "changes", "main"]


class Change(Struct, frozen=True):
    """One figure of both files."""

    before: Figure
    after: Figure

    @property
    def relative(self) -> float:
        """0.05 is five per cent more."""
        return self.after.measured.median / self.before.measured.median - 1

    @property
    def worse(self) -> float:
        """The same, positive when it is for the worse."""
        return self.relative if self.before.lower_is_better else -self.relative

    @property
    def beyond_noise(self) -> bool:
        """Whether the quartiles of the two do not overlap; a single value is no spread."""
        a, b = self.before.measured, self.after.measured
        if not (self.before.exact or (a.n > 1 and b.n > 1)):
            return False
        return a.high < b.low or b.high < a.low


def changes(before: list[Figure], after: list[Figure]) -> list[Change]:
    """Of the figures that both have, in the order of `before`."""
    found = {figure.name: figure for figure in after}
    return [Change(f, found[f.name]) for f in before if f.name in found and f.measured.median]


def other_photos(before: bytes, after: bytes) -> list[str]:
    """The mixes that have the same name in both files, and different photos."""
    a, b = map(_digests, (before, after))
    return [mix for mix in a if mix in b and a[mix] != b[mix]]


def _digests(text: bytes) -> dict[str, str]:
    """By mix; none in a file that is no results.json."""
    document: Any = msgspec.json.decode(text)
    settings = document.get("settings", {}) if isinstance(document, dict) else {}
    return settings.get("digests", {})


def line(change: Change) -> str:
    verdict = ""
    if change.beyond_noise:
        verdict = "worse" if change.worse > 0 else "better"
    before, after = change.before.measured, change.after.measured
    cells = f"{number(before.median):>12}{number(after.median):>12}{change.relative:>+10.1%}"
    return f"{change.before.name:<76}{cells}  {verdict}".rstrip()


@click.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fail-above",
    type=float,
    metavar="PERCENT",
    help="End with status 1 when a figure is worse by more than that, and beyond noise.",
)
def main(before: Path, after: Path, fail_above: float | None) -> None:
    """Print the change of every figure that BEFORE and AFTER share.

    Those beyond noise, whose quartiles do not overlap, are marked better or worse.
    """
    try:
        texts = before.read_bytes(), after.read_bytes()
        found = changes(*map(figures, texts))
    except (ValueError, msgspec.DecodeError) as error:
        raise click.ClickException(str(error)) from error
    for mix in other_photos(*texts):
        print(f"note: {mix} is of other photos in {after}")
    if not found:
        raise click.ClickException("the two files have no figure in common")
    print(f"{'':<76}{'before':>12}{'after':>12}{'change':>10}")
    for change in found:
        print(line(change))
    if fail_above is not None:
        sys.exit(int(any(c.beyond_noise and 100 * c.worse > fail_above for c in found)))


if __name__ == "__main__":
    main()
