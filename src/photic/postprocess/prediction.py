"""What a task makes of one row of output."""

from msgspec import UNSET, Struct, UnsetType

__all__ = ["ClassScore", "Prediction"]


class ClassScore(Struct, frozen=True):
    """One class of a classification."""

    index: int
    label: str
    score: float


class Prediction(Struct, frozen=True, kw_only=True):
    """The result for one image: the field of the model's task is set, the others are not."""

    predictions: tuple[ClassScore, ...] | UnsetType = UNSET
    embedding: tuple[float, ...] | UnsetType = UNSET
