"""From levels to the model's row, and back."""

import numpy as np
from numpy.typing import NDArray

from photic.models.recipe import InputRecipe


def row(levels: NDArray[np.generic], recipe: InputRecipe) -> NDArray[np.float64]:
    """[H, W, 3] RGB levels to the model's row; mean and std are in the model's channel order."""
    pixels = levels.astype(np.float64) / 255.0 * recipe.pixel_range
    if recipe.channels == "BGR":
        pixels = pixels[..., ::-1]
    normalised = (pixels - np.array(recipe.mean)) / np.array(recipe.std)
    return normalised.transpose(2, 0, 1) if recipe.layout == "NCHW" else normalised


def levels(row: NDArray[np.generic], recipe: InputRecipe) -> NDArray[np.float64]:
    """The inverse of :func:`row`: [H, W, 3] RGB levels."""
    normalised = row.astype(np.float64)
    if recipe.layout == "NCHW":
        normalised = normalised.transpose(1, 2, 0)
    pixels = (
        (normalised * np.array(recipe.std) + np.array(recipe.mean)) / recipe.pixel_range * 255.0
    )
    return pixels[..., ::-1] if recipe.channels == "BGR" else pixels
