"""The common input recipes by name, for models that come without a ``model.toml``.

The published sizes are 224; for any other size the distances scale in proportion.
"""

from collections.abc import Callable
from typing import Final, Literal

from photic.errors import ModelFileError
from photic.models.recipe import InputRecipe
from photic.strict_struct import did_you_mean

__all__ = ["PRESETS", "preset"]

Size = tuple[int, int]
Layout = Literal["NCHW", "NHWC"]
HALF = (0.5, 0.5, 0.5)


def preset(name: str, *, size: Size, layout: Layout) -> InputRecipe:
    """The named recipe for one input size.

    Args:
        name: A key of PRESETS.
        size: (height, width) of the model's input.
        layout: Its layout.

    Raises:
        ModelFileError: There is no preset of that name.
    """
    if name not in PRESETS:
        raise ModelFileError(
            f"there is no recipe preset `{name}`: {did_you_mean(name, PRESETS)}; "
            "or give the path of a model.toml"
        )
    return PRESETS[name](size, layout)


def _short_side(size: Size, crop: float) -> int:
    """The short side to resize to when the crop takes this fraction of it."""
    return round(max(size) / crop)


def _imagenet(size: Size, layout: Layout) -> InputRecipe:
    """Bilinear to short side 256, crop 224, ImageNet's mean and std.

    Source: torchvision, ``transforms._presets.ImageClassification`` (its defaults), the recipe of
    the ``IMAGENET1K_V1`` weights.
    """
    return InputRecipe(
        size=size,
        layout=layout,
        resize=_short_side(size, 224 / 256),
        filter="bilinear",
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
    )


def _inception(size: Size, layout: Layout) -> InputRecipe:
    """The central 87.5 %, bilinear to the size, pixels to -1..1.

    Source: TensorFlow models, ``research/slim/preprocessing/inception_preprocessing.py``,
    ``preprocess_for_eval`` (Inception, MobileNet V1 to V3, NASNet). That crops to the image's
    own shape, and resizes without antialias; here the crop has the input's shape, so that nothing
    is distorted (ADR 0006), and the filter has antialias.
    """
    return InputRecipe(
        size=size, layout=layout, crop_fraction=0.875, filter="bilinear", mean=HALF, std=HALF
    )


def _clip(size: Size, layout: Layout) -> InputRecipe:
    """Bicubic to a short side of the size itself, centre crop, CLIP's mean and std.

    Source: openai/CLIP, ``clip/clip.py``, ``_transform``; OpenCLIP uses the same values.
    """
    return InputRecipe(
        size=size,
        layout=layout,
        resize=max(size),
        filter="bicubic",
        mean=(0.48145466, 0.4578275, 0.40821073),
        std=(0.26862954, 0.26130258, 0.27577711),
    )


def _vit(size: Size, layout: Layout) -> InputRecipe:
    """Bicubic to short side 248, crop 224, pixels to -1..1.

    Source: timm, the default configuration of ``vision_transformer`` (crop_pct 0.9, Inception's
    mean and std), the AugReg ViT weights. timm rounds the short side down.
    """
    return InputRecipe(
        size=size,
        layout=layout,
        resize=int(max(size) / 0.9),
        filter="bicubic",
        mean=HALF,
        std=HALF,
    )


def _efficientnet_lite(size: Size, layout: Layout) -> InputRecipe:
    """Bicubic to short side 256, crop 224, (x - 127) / 128.

    Source: TensorFlow TPU models, ``efficientnet/lite/efficientnet_lite_builder.py`` (mean and
    std); the geometry is the one of Photic's embedded model, measured best on it.
    """
    return InputRecipe(
        size=size,
        layout=layout,
        resize=_short_side(size, 224 / 256),
        filter="bicubic",
        pixel_range=255.0,
        mean=(127.0, 127.0, 127.0),
        std=(128.0, 128.0, 128.0),
    )


def _caffe(size: Size, layout: Layout) -> InputRecipe:
    """Bilinear to short side 256, crop 224, BGR, Caffe's channel means taken off.

    Source: Keras, ``applications.imagenet_utils.preprocess_input(mode="caffe")`` (ResNet50, VGG).
    """
    return InputRecipe(
        size=size,
        layout=layout,
        resize=_short_side(size, 224 / 256),
        filter="bilinear",
        pixel_range=255.0,
        mean=(103.939, 116.779, 123.68),
        channels="BGR",
    )


def _raw(size: Size, layout: Layout) -> InputRecipe:
    """The whole image stretched to the size, pixels 0 to 1: for models that normalise inside."""
    return InputRecipe(size=size, layout=layout, fit="stretch", filter="bilinear")


def _raw_255(size: Size, layout: Layout) -> InputRecipe:
    """The whole image stretched to the size, pixels from 0 to 255: also for uint8 inputs."""
    return InputRecipe(
        size=size, layout=layout, fit="stretch", filter="bilinear", pixel_range=255.0
    )


PRESETS: Final[dict[str, Callable[[Size, Layout], InputRecipe]]] = {
    "imagenet": _imagenet,
    "inception": _inception,
    "clip": _clip,
    "vit": _vit,
    "efficientnet-lite": _efficientnet_lite,
    "caffe": _caffe,
    "raw": _raw,
    "raw-255": _raw_255,
}
"""Preset names and what makes the recipe of a size and a layout."""
