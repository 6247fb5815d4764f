"""The same filters in float64, unrounded: what Pillow would give if it kept its fractions.

The coefficients follow Pillow's ``precompute_coeffs`` (src/libImaging/Resample.c): a support that
grows with the scale when shrinking, taps cut off at the edges of the source, weights that sum to 1.
"""

import numpy as np
from numpy.typing import NDArray

from oracle.geometry import placement
from photic.models.recipe import InputRecipe

SUPPORT = {"bilinear": 1.0, "bicubic": 2.0}


def triangle(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(1.0 - np.abs(x), 0.0, None)


def cubic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keys' kernel with a = -0.5."""
    x = np.abs(x)
    near = (1.5 * x - 2.5) * x * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))


def weights(length: int, size: int, name: str) -> NDArray[np.float64]:
    """The matrix [size, length] that resamples ``length`` pixels to ``size``."""
    kernel = {"bilinear": triangle, "bicubic": cubic}[name]
    scale = length / size
    stretch = max(1.0, scale)
    centres = (np.arange(size) + 0.5) * scale
    reach = SUPPORT[name] * stretch
    first = np.maximum(0, np.trunc(centres - reach + 0.5))[:, None]
    last = np.minimum(length, np.trunc(centres + reach + 0.5))[:, None]
    x = np.arange(length)[None, :]
    taps = np.where((x >= first) & (x < last), kernel((x - centres[:, None] + 0.5) / stretch), 0.0)
    return taps / taps.sum(axis=1, keepdims=True)


def resize(pixels: NDArray[np.uint8], size: tuple[int, int], name: str) -> NDArray[np.float64]:
    """[h, w, 3] to [height, width, 3]; ``size`` is (width, height); clamped to 0..255 last."""
    height, width, channels = pixels.shape
    down = weights(height, size[1], name) @ pixels.reshape(height, -1).astype(np.float64)
    down = down.reshape(size[1], width, channels)
    both = np.tensordot(weights(width, size[0], name), down, axes=(1, 1)).transpose(1, 0, 2)
    return np.clip(both, 0.0, 255.0)


def levels(pixels: NDArray[np.uint8], recipe: InputRecipe) -> NDArray[np.float64]:
    """An upright [h, w, 3] image to the row's pixels before normalising: [H, W, 3], 0 to 255."""
    place = placement(recipe, (pixels.shape[1], pixels.shape[0]))
    left, top, right, bottom = place.source
    resized = resize(pixels[top:bottom, left:right], place.resized, recipe.filter)
    canvas = np.full((place.canvas[1], place.canvas[0], 3), float(recipe.pad))
    left, top, right, bottom = place.window
    x, y = place.offset
    canvas[y : y + bottom - top, x : x + right - left] = resized[top:bottom, left:right]
    return canvas
