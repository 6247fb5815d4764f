"""Classification: outputs to scores, and the best classes of each image."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from photic.postprocess.prediction import ClassScore, Prediction

__all__ = ["Classification", "are_probabilities", "best", "sigmoid", "softmax"]

Floats = NDArray[np.float32]

_SUM_TOLERANCE: Final = 1e-3


class Classification:
    """Names the best classes of each row of output.

    Args:
        labels: One for each class.
        scores: How outputs become scores. Classes are ranked by the outputs themselves, which
            softmax and sigmoid keep in order, so rounding makes no ties.
    """

    def __init__(
        self, labels: Sequence[str], *, scores: Literal["softmax", "sigmoid", "none"]
    ) -> None:
        self._labels = tuple(labels)
        self._score = _SCORES[scores]

    def __call__(self, outputs: Floats, top_k: Sequence[int]) -> list[Prediction]:
        """Predictions of a batch.

        Args:
            outputs: [n, classes].
            top_k: For each row how many classes to name, 1 to classes.
        """
        scores = self._score(outputs)
        return [
            Prediction(predictions=self._name(best(row, k), row_scores))
            for row, row_scores, k in zip(outputs, scores, top_k, strict=True)
        ]

    def _name(self, classes: NDArray[np.intp], scores: Floats) -> tuple[ClassScore, ...]:
        indices: list[int] = classes.tolist()
        labels = map(self._labels.__getitem__, indices)
        return tuple(map(ClassScore, indices, labels, scores[classes].tolist()))


def best(row: Floats, k: int) -> NDArray[np.intp]:
    """Indices of the ``k`` largest values, largest first; of equal ones the lower index first."""
    # Methods of arrays: NumPy's functions of these names cost several calls more each.
    partitioned = row.copy()
    partitioned.partition(len(row) - k)
    (candidates,) = (row >= partitioned[len(row) - k]).nonzero()  # k, or more: equals of the k-th
    order = (-row[candidates]).argsort(kind="stable")
    chosen: NDArray[np.intp] = candidates[order[:k]]
    return chosen


def softmax(outputs: Floats) -> Floats:
    """exp(x) / sum(exp(x)) of each row; the largest value is taken off first, so exp stays <= 1."""
    with np.errstate(over="ignore"):  # the difference of two huge numbers: -inf, whose exp is 0
        powers: Floats = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def sigmoid(outputs: Floats) -> Floats:
    """1 / (1 + exp(-x)), written with tanh, which does not overflow."""
    scores: Floats = np.float32(0.5) * (np.float32(1.0) + np.tanh(np.float32(0.5) * outputs))
    return scores


def unchanged(outputs: Floats) -> Floats:
    """The outputs themselves."""
    return outputs


_SCORES: Final[dict[str, Callable[[Floats], Floats]]] = {
    "softmax": softmax,
    "sigmoid": sigmoid,
    "none": unchanged,
}


def are_probabilities(outputs: Floats) -> bool:
    """Whether each row already is non-negative and sums to 1, so that softmax would flatten it."""
    sums_to_one = np.abs(outputs.sum(axis=1) - 1.0) < _SUM_TOLERANCE
    return bool((outputs >= 0.0).all() and sums_to_one.all())
