"""R, the highest rate that a server carries: 99 % of the answers good within the deadline."""

from collections.abc import Callable

from bench.harness.results import CapacityTrial, OpenLoopRun

__all__ = ["Search", "highest_rate"]

GOOD_FRACTION = 0.99
_UP, _DOWN = 1.15, 1.3
_MOST_STEPS = 12


class Search:
    """Tries rates; one that fails is tried once more, since a neighbour's burst looks the same.

    Args:
        trial: runs one trial at a rate; the number tells repetitions apart.
    """

    def __init__(self, trial: Callable[[float, int], OpenLoopRun]) -> None:
        self.trials: list[CapacityTrial] = []
        self._trial = trial

    def carries(self, rate: float) -> bool:
        """Whether the server answers enough at this rate, in one of two attempts."""
        return any(self._passes(rate, attempt) for attempt in (1, 2))

    def _passes(self, rate: float, attempt: int) -> bool:
        run = self._trial(rate, attempt)
        self.trials.append(CapacityTrial(rate, run.issued, run.good_in_deadline))
        return run.good_in_deadline >= GOOD_FRACTION * run.issued > 0


def highest_rate(
    carries: Callable[[float], bool], start: float, *, tolerance: float = 0.04
) -> float:
    """The highest rate that is carried, to ``tolerance``; 0 when none of those tried is.

    Args:
        carries: whether a rate is carried; may err now and then.
        start: a guess.
        tolerance: how far, in parts of the result, the next rate above may fail.
    """
    carried, refused = _bracket(carries, start)
    while carried and refused / carried > 1 + tolerance:
        middle = (carried * refused) ** 0.5
        if carries(middle):
            carried = middle
        else:
            refused = middle
    return carried


def _bracket(carries: Callable[[float], bool], start: float) -> tuple[float, float]:
    """A rate that is carried and a higher one that is not; (0, …) when none was carried."""
    rate = start
    if carries(rate):
        for _ in range(_MOST_STEPS):
            if not carries(rate * _UP):
                break
            rate *= _UP
        return rate, rate * _UP
    for _ in range(_MOST_STEPS):
        if carries(rate / _DOWN):
            return rate / _DOWN, rate
        rate /= _DOWN
    return 0.0, rate
