"""One bar: a figure, what it must be, what it is."""

from msgspec import Struct

from bench.report.measured import Measured

__all__ = ["Bar"]


class Bar(Struct, frozen=True):
    """A figure with a limit that it may not pass; ratios unless `unit` says otherwise."""

    figure: str
    bar: float
    stretch: float | None
    """What would be better still."""
    measured: Measured | None
    """None when the run lacks what it takes."""
    unit: str = " x"
    at_most: bool = True
    """Else at least."""
    conclusive: bool = True
    """Whether the run was long enough to judge."""

    def passes(self, limit: float) -> bool:
        """Whether the median is on the right side; False when nothing was measured."""
        if self.measured is None:
            return False
        middle = self.measured.median
        return middle <= limit if self.at_most else middle >= limit

    @property
    def verdict(self) -> str:
        """For a table."""
        if self.measured is None:
            return "not measured"
        if not self.conclusive:
            return "too short a run"
        if not self.passes(self.bar):
            return "**no**"
        return "yes, stretch too" if self.stretch and self.passes(self.stretch) else "yes"
