"""``model.toml`` as frozen structs: from pixels to the input, from the output to an answer."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["InputRecipe", "ModelRecipe", "OutputRecipe", "Provenance"]

Side = Annotated[int, Meta(ge=1, le=4_096)]
Channels3 = tuple[float, float, float]
LEVELS = 255.0


class RecipeSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all sections: frozen, and strict about unknown names."""


class InputRecipe(RecipeSection, frozen=True, kw_only=True):
    """From an image of any size to the model's input.

    ``size`` is (height, width). With ``fit = "crop"`` the short side becomes ``resize`` and the
    centre is cut out (torchvision's Resize + CenterCrop); with ``crop_fraction`` that fraction of
    the largest centred box of the input's shape is cut out first, then resized (EfficientNet's way
    in TensorFlow, ADR 0006). ``mean`` and ``std`` are in units of ``pixel_range`` and in the
    model's channel order (blue first when ``channels = "BGR"``).
    """

    size: tuple[Side, Side]
    fit: Literal["crop", "stretch", "letterbox"] = "crop"
    resize: Side | None = None
    crop_fraction: Annotated[float, Meta(gt=0.0, le=1.0)] | None = None
    pad: Annotated[int, Meta(ge=0, le=255)] = 114
    filter: Literal["bilinear", "bicubic"] = "bilinear"
    pixel_range: Annotated[float, Meta(gt=0.0)] = 1.0
    mean: Channels3 = (0.0, 0.0, 0.0)
    std: Channels3 = (1.0, 1.0, 1.0)
    channels: Literal["RGB", "BGR"] = "RGB"
    layout: Literal["NCHW", "NHWC"] = "NCHW"
    orientation: Literal["exif", "ignore"] = "exif"
    decode: Literal["exact", "balanced", "fast"] = "balanced"

    @property
    def keeps_levels(self) -> bool:
        """Whether the input is the levels 0 to 255 themselves, as uint8 inputs need it."""
        return self.pixel_range == LEVELS and set(self.mean) == {0.0} and set(self.std) == {1.0}


class OutputRecipe(RecipeSection, frozen=True, kw_only=True):
    """From the model's output to an answer."""

    scores: Literal["softmax", "sigmoid", "none"] = "softmax"


class Provenance(RecipeSection, frozen=True, kw_only=True):
    """Where the model came from."""

    source: str = ""
    licence: str = ""


class ModelRecipe(RecipeSection, frozen=True, kw_only=True):
    """A whole ``model.toml``."""

    task: Literal["classification", "embedding"] = "classification"
    labels: str = ""
    input: InputRecipe
    output: OutputRecipe = OutputRecipe()
    gate: dict[str, float] = {}
    provenance: Provenance = Provenance()
