"""How much is measured, and for how long."""

from msgspec import Struct

__all__ = ["FULL", "QUICK", "Plan"]


class Plan(Struct, frozen=True):
    """Lengths in seconds; fractions are of a server's R."""

    trial_s: float
    """When R is searched, and in the comparison with the naive server."""
    sweep_s: float
    """At fractions of a server's own R, and for batch sizes."""
    side_trial_s: float
    """All trials of the servers that are not in the first row."""
    tolerance: float
    """Of R."""
    side_tolerance: float
    """Of the R of servers that are not in the first row."""
    fractions: tuple[float, ...]
    rounds: int
    """Of the comparison with the naive server."""
    batch_fractions: tuple[float, ...]
    batch_rounds: int
    budget_s: float
    """Nothing new is begun after it."""


FULL = Plan(
    trial_s=8.0,
    sweep_s=5.0,
    side_trial_s=3.0,
    tolerance=0.04,
    side_tolerance=0.1,
    fractions=(0.5, 0.7, 0.9, 1.2, 2.0),
    rounds=5,
    batch_fractions=(0.5, 0.9, 1.3),
    batch_rounds=2,
    budget_s=900.0,
)
QUICK = Plan(
    trial_s=3.0,
    sweep_s=3.0,
    side_trial_s=3.0,
    tolerance=0.2,
    side_tolerance=0.2,
    fractions=(0.7, 1.2),
    rounds=1,
    batch_fractions=(),
    batch_rounds=0,
    budget_s=60.0,
)
