"""The answer to one image, as clients see it."""

from msgspec import UNSET, Struct, UnsetType

from photic.postprocess.prediction import ClassScore

__all__ = ["Answer", "ClassScore"]


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to one image; the field of the model's task is set, the others are not."""

    model: str
    version: int
    variant: str
    """Which file of the version answered, such as ``fp32`` or ``int8``."""
    request_id: str
    predictions: tuple[ClassScore, ...] | UnsetType = UNSET
    """Classification: the best classes, best first."""
    embedding: tuple[float, ...] | UnsetType = UNSET
