"""Photic's own rows, read back as levels: the side that the oracle judges."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from oracle import normalisation
from photic.models.recipe import InputRecipe
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings


def row(
    image: bytes | NDArray[np.uint8],
    recipe: InputRecipe,
    *,
    dtype: Literal["float32", "uint8"] = "float32",
) -> NDArray[Any]:
    """One row; memory starts as NaN (or 255), so that a value never written does not pass."""
    preprocessor = Preprocessor(recipe, DecodeSettings(), dtype=dtype)
    out = np.full(preprocessor.shape, np.nan if dtype == "float32" else 255, preprocessor.dtype)
    if isinstance(image, np.ndarray):
        preprocessor.pixels_into(image, out)
    else:
        preprocessor.into(image, out)
    assert np.isfinite(out).all(), "a part of the row was never written"
    return out


def levels(image: bytes | NDArray[np.uint8], recipe: InputRecipe) -> NDArray[np.float64]:
    """The row as [H, W, 3] RGB levels."""
    return normalisation.levels(row(image, recipe), recipe)
