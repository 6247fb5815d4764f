"""What a model takes and gives, and whether a recipe and labels fit it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import onnxruntime as ort
from msgspec import Struct

from photic.errors import ModelFileError
from photic.models.bundle import ModelBundle

__all__ = [
    "Dimension",
    "ImageInput",
    "RowOutput",
    "check_fit",
    "check_labels",
    "read_input",
    "read_output",
]

Dimension = int | str | None
"""A number, or the name of (or None for) a dimension that the model leaves open."""

_INPUT_TYPES: Final[dict[str, Literal["float32", "uint8"]]] = {
    "tensor(float)": "float32",
    "tensor(uint8)": "uint8",
}
_OUTPUT_TYPE: Final = "tensor(float)"
_IMAGE_RANK: Final = 4
_OUTPUT_RANK: Final = 2
_CHANNELS: Final = 3


class ImageInput(Struct, frozen=True):
    """A model's only input: a batch of images."""

    name: str
    shape: tuple[Dimension, ...]
    """Four dimensions; the first is the batch."""
    dtype: Literal["float32", "uint8"]

    @property
    def fixed_batch(self) -> int | None:
        """The only batch size that the model takes, or None when it leaves it open."""
        batch = self.shape[0]
        return batch if isinstance(batch, int) else None

    @property
    def layout(self) -> Literal["NCHW", "NHWC"]:
        """Where the three channels are; NCHW when the shape does not tell."""
        return "NHWC" if self.shape[3] == _CHANNELS != self.shape[1] else "NCHW"

    @property
    def size(self) -> tuple[int, int] | None:
        """(height, width), or None when the model leaves either open."""
        first = 1 if self.layout == "NHWC" else 2
        height, width = self.shape[first : first + 2]
        return (height, width) if isinstance(height, int) and isinstance(width, int) else None


class RowOutput(Struct, frozen=True):
    """The output that counts: one row for each image."""

    name: str
    width: int | None
    """None when the model leaves it open."""


def read_input(session: ort.InferenceSession, path: Path) -> ImageInput:
    """A session's input.

    Raises:
        ModelFileError: The model does not take exactly one batch of images.
    """
    inputs = session.get_inputs()
    if len(inputs) != 1:
        raise ModelFileError(
            f"{path}: the model has {len(inputs)} inputs, {_names(inputs)}; Photic serves models "
            "with one, a batch of images"
        )
    [only] = inputs
    if only.type not in _INPUT_TYPES:
        raise ModelFileError(
            f"{path}: input '{only.name}' is {only.type}; Photic feeds float32 or uint8"
        )
    if len(only.shape) != _IMAGE_RANK:
        raise ModelFileError(
            f"{path}: input '{only.name}' is {_shape(only.shape)}, not a batch of images"
        )
    return ImageInput(only.name, tuple(only.shape), _INPUT_TYPES[only.type])


def read_output(session: ort.InferenceSession, path: Path, *, classes: int) -> RowOutput:
    """A session's output.

    Args:
        session: The loaded model.
        path: Its file, for messages.
        classes: The number of labels, which tells a classifier's output from its others; 0: none.

    Raises:
        ModelFileError: It is not clear which output counts, or it is not one row for each image.
    """
    outputs = session.get_outputs()
    fitting = [out for out in outputs if classes and list(out.shape[1:]) == [classes]]
    if len(outputs) > 1 and len(fitting) != 1:
        raise ModelFileError(
            f"{path}: the model has {len(outputs)} outputs, {_names(outputs)}, and the labels do "
            "not tell which one counts; export it with one output"
        )
    [only] = fitting if len(outputs) > 1 else outputs
    if only.type != _OUTPUT_TYPE or len(only.shape) != _OUTPUT_RANK:
        raise ModelFileError(
            f"{path}: output '{only.name}' is {only.type} {_shape(only.shape)}; needed is one "
            "float32 row for each image, [batch, width]"
        )
    width = only.shape[1]
    return RowOutput(only.name, width if isinstance(width, int) else None)


def check_fit(taken: ImageInput, bundle: ModelBundle, row: tuple[int, ...]) -> None:
    """Refuse a model that cannot take the rows that its recipe makes.

    Args:
        taken: The model's input.
        bundle: The model's recipe, and its path for messages.
        row: Shape of the rows.

    Raises:
        ModelFileError: The message has both shapes.
    """
    what = f"{bundle.path}: input '{taken.name}' is {_shape(taken.shape)}"
    pairs = zip(taken.shape[1:], row, strict=True)
    if any(isinstance(want, int) and want != have for want, have in pairs):
        swapped = taken.layout != bundle.recipe.input.layout
        hint = f' (set layout = "{taken.layout}")' if swapped else ""
        raise ModelFileError(f"{what} but the recipe makes {_shape(row)}{hint}")
    if taken.dtype == "uint8" and not bundle.recipe.input.keeps_levels:
        raise ModelFileError(
            f"{what} uint8, which takes the levels 0 to 255 themselves, but the recipe normalises; "
            "set pixel_range = 255.0 and no mean or std (the preset raw-255)"
        )
    if taken.fixed_batch not in (None, 1):
        raise ModelFileError(
            f"{what}, a fixed batch of {taken.fixed_batch}; export it with an open batch or with 1"
        )


def check_labels(classes: int, bundle: ModelBundle) -> None:
    """Refuse labels that are not as many as the output is wide.

    Raises:
        ModelFileError: The message has both numbers.
    """
    if classes != len(bundle.labels):
        raise ModelFileError(
            f"{bundle.path}: the label file has {len(bundle.labels)} lines but the output has "
            f"{classes}"
        )


def _names(tensors: Sequence[Any]) -> str:
    return ", ".join(f"{tensor.name} {_shape(tensor.shape)}" for tensor in tensors)


def _shape(shape: Sequence[Dimension]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"
