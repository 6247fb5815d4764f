"""Medians over rounds, and how far the rounds are apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Protocol, TypeVar

import numpy as np
from msgspec import Struct

__all__ = ["Measured", "by_round", "measured", "ratio"]


class InRounds(Protocol):
    """A run that knows its round."""

    @property
    def round(self) -> int: ...


Run = TypeVar("Run", bound=InRounds)


class Measured(Struct, frozen=True):
    """A figure that was measured `n` times: the median and the quartiles around it."""

    median: float
    low: float
    high: float
    n: int


def measured(values: Sequence[float]) -> Measured | None:
    """None when there are no values."""
    if not values:
        return None
    low, high = np.percentile(values, [25, 75])
    return Measured(median(values), float(low), float(high), len(values))


def by_round(runs: Iterable[Run], value: Callable[[Run], float]) -> dict[int, float]:
    """A value of each run by its `round`; zeros stand for "nothing measured" and are left out."""
    return {run.round: value(run) for run in runs if value(run)}


def ratio(above: Mapping[int, float], below: Mapping[int, float]) -> Measured | None:
    """The ratio within each round that has both: neighbours on the machine disturb both alike."""
    return measured([above[r] / below[r] for r in sorted(above.keys() & below.keys())])
