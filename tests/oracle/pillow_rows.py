"""What Pillow makes of an image: full decode, upright, two rounded passes of ``Image.resize``."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from oracle.geometry import placement
from photic.models.recipe import InputRecipe

ORIENTATION = 0x0112

FILTERS = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}

TRANSPOSES = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def exif_orientation(image: Image.Image) -> int:
    """The EXIF tag alone (Pillow's ``exif_transpose`` also obeys XMP, which Photic does not)."""
    exif = Image.Exif()
    exif.load(image.info.get("exif", b""))
    return exif.get(ORIENTATION, 1)


def upright(data: bytes, *, orientation: str = "exif") -> Image.Image:
    """The whole image in RGB, as Pillow decodes it; CMYK becomes RGB the naive way."""
    with Image.open(io.BytesIO(data)) as image:
        tag = exif_orientation(image) if orientation == "exif" else 1
        rgb = image.convert("RGB")
    return rgb.transpose(TRANSPOSES[tag]) if tag in TRANSPOSES else rgb


def levels(image: Image.Image, recipe: InputRecipe) -> NDArray[np.uint8]:
    """The row's pixels before normalising: [H, W, 3] RGB, 0 to 255."""
    place = placement(recipe, image.size)
    resized = image.crop(place.source).resize(place.resized, FILTERS[recipe.filter])
    canvas = Image.new("RGB", place.canvas, (recipe.pad,) * 3)
    canvas.paste(resized.crop(place.window), place.offset)
    return np.asarray(canvas)


def levels_of(data: bytes, recipe: InputRecipe) -> NDArray[np.uint8]:
    """From the bytes of a file to the row's pixels."""
    return levels(upright(data, orientation=recipe.orientation), recipe)
