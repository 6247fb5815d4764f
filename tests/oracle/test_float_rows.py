"""The float filters against hand-computed arrays and against Pillow itself."""

import numpy as np
import pytest
from PIL import Image

from oracle import float_rows, pillow_rows
from photic.models.recipe import InputRecipe


def resize_line(line, size, name):
    pixels = np.repeat(np.array(line, np.uint8)[None, :, None], 3, axis=2)
    return float_rows.resize(pixels, (size, 1), name)[0, :, 0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ([0, 100], [50.0]),
        ([0, 0, 0, 70], [0.0, 30.0]),  # taps 1/4, 3/4, 3/4 of 7/4: cut off at the edge
        ([0, 100], [0.0, 25.0, 75.0, 100.0]),
        ([10, 20, 30], [10.0, 20.0, 30.0]),
    ],
)
def test_bilinear_by_hand(line, expected):
    assert resize_line(line, len(expected), "bilinear") == pytest.approx(expected)


def test_bicubic_by_hand():
    """Doubling [0, 100]: taps 111/128, 29/128, -9/128; what lies beyond the edge is left out."""
    expected = [0.0, 29 / 140, 111 / 140, 111 / 102]
    assert resize_line([0, 100], 4, "bicubic") == pytest.approx([100 * x for x in expected])


def test_bicubic_overshoot_is_clamped():
    line = [0] * 8 + [255] * 8
    doubled = resize_line(line, 32, "bicubic")
    assert doubled.min() == 0.0
    assert doubled.max() == 255.0


@pytest.mark.parametrize("name", ["bilinear", "bicubic"])
@pytest.mark.parametrize("size", [(40, 30), (97, 61), (224, 160), (5, 4)])
def test_differs_from_pillow_by_its_two_roundings(name, size):
    """Mid-grey noise keeps clear of the clamps: what is left is half a level for each pass."""
    pixels = np.random.default_rng(7).integers(96, 160, (61, 97, 3), dtype=np.uint8)
    pillow = np.asarray(Image.fromarray(pixels).resize(size, pillow_rows.FILTERS[name]), np.float64)
    difference = np.abs(pillow - float_rows.resize(pixels, size, name))
    assert difference.max() <= 1.25  # bicubic weights may amplify the first rounding a little
    assert difference.mean() <= 0.4


@pytest.mark.parametrize(
    "fit",
    [
        {"fit": "crop", "resize": 72},
        {"fit": "crop", "crop_fraction": 0.8},
        {"fit": "stretch"},
        {"fit": "letterbox"},
    ],
)
def test_both_oracles_place_alike(fit):
    recipe = InputRecipe(size=(48, 64), **fit)
    pixels = np.random.default_rng(8).integers(96, 160, (131, 200, 3), dtype=np.uint8)
    pillow = pillow_rows.levels(Image.fromarray(pixels), recipe).astype(np.float64)
    assert pillow.shape == (48, 64, 3)
    assert np.abs(pillow - float_rows.levels(pixels, recipe)).max() <= 1.25
