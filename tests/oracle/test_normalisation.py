import numpy as np
import pytest

from oracle import normalisation
from photic.models.recipe import InputRecipe

LEVELS = np.array([[[255, 51, 0]]], np.uint8)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"mean": (0.5, 0.1, 0.0), "std": (0.5, 0.1, 0.25)}, [1.0, 1.0, 0.0]),
        ({"mean": (0.0, 0.1, 0.5), "std": (1.0, 0.1, 0.5), "channels": "BGR"}, [0.0, 1.0, 1.0]),
        (
            {"pixel_range": 255.0, "mean": (127.0,) * 3, "std": (128.0,) * 3},
            [1.0, -76 / 128, -127 / 128],
        ),
    ],
)
def test_by_hand(options, expected):
    recipe = InputRecipe(size=(1, 1), **options)
    row = normalisation.row(LEVELS, recipe)
    assert row.shape == (3, 1, 1)
    assert row[:, 0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("channels", ["RGB", "BGR"])
def test_levels_come_back(layout, channels):
    recipe = InputRecipe(
        size=(4, 5),
        layout=layout,
        channels=channels,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
    )
    levels = np.random.default_rng(3).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    row = normalisation.row(levels, recipe)
    assert row.shape == ((3, 4, 5) if layout == "NCHW" else (4, 5, 3))
    assert normalisation.levels(row, recipe) == pytest.approx(levels)
