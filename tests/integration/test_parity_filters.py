"""Exact mode against a float64 reference: every fit, filter, layout, and sizes that are not square.

Decoding is the same for both sides (libjpeg-turbo at full size), so what is left is our arithmetic.
"""

import itertools

import msgspec
import numpy as np
import pytest

from oracle import float_rows, normalisation, ours, pillow_rows
from oracle.photos import jpeg, photo, photo_names, resized
from photic.models.recipe import InputRecipe

ARITHMETIC = 0.02
"""Levels that our arithmetic may be off the float64 reference."""

FITS = {
    "crop": InputRecipe(size=(224, 224), fit="crop", resize=256),
    "crop_wide": InputRecipe(size=(120, 250), fit="crop", resize=250),
    "crop_tall": InputRecipe(size=(299, 140), fit="crop", resize=320),
    "crop_fraction": InputRecipe(size=(240, 240), fit="crop", crop_fraction=0.875),
    "stretch": InputRecipe(size=(160, 256), fit="stretch"),
    "letterbox": InputRecipe(size=(256, 192), fit="letterbox"),
    "letterbox_wide": InputRecipe(size=(64, 320), fit="letterbox", pad=0),
    "small": InputRecipe(size=(32, 48), fit="crop", resize=48),
}

RECIPES = {
    f"{name}-{filter_}": msgspec.structs.replace(recipe, filter=filter_, decode="exact")
    for (name, recipe), filter_ in itertools.product(FITS.items(), ("bilinear", "bicubic"))
}
each_recipe = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
each_fit = pytest.mark.parametrize(
    "recipe", [RECIPES[f"{name}-bicubic"] for name in FITS], ids=FITS.keys()
)


def expected_levels(data: bytes, recipe: InputRecipe):
    return float_rows.levels(np.asarray(pillow_rows.upright(data)), recipe)


@each_recipe
@pytest.mark.parametrize("name", photo_names())
def test_pixels(name, recipe):
    apart = np.abs(ours.levels(photo(name), recipe) - float_rows.levels(photo(name), recipe))
    assert apart.max() <= ARITHMETIC


@each_fit
@pytest.mark.parametrize("orientation", range(1, 9))
def test_jpeg_in_every_orientation(recipe, orientation):
    data = jpeg(photo("rocket"), orientation=orientation)
    apart = np.abs(ours.levels(data, recipe) - expected_levels(data, recipe))
    assert apart.max() <= ARITHMETIC


@pytest.mark.parametrize(
    "options",
    [
        {"quality": 30, "subsampling": "4:2:0"},
        {"quality": 75, "subsampling": "4:2:2"},
        {"quality": 95, "subsampling": "4:4:4"},
        {"quality": 85, "subsampling": "4:2:0", "progressive": True},
        {"quality": 85, "subsampling": "4:4:4", "progressive": True},
        {"quality": 85, "subsampling": "4:2:0", "restart_marker_blocks": 3},
        {"quality": 85, "subsampling": "4:2:2", "restart_marker_rows": 1, "optimize": True},
    ],
    ids=lambda options: "-".join(str(value) for value in options.values()),
)
@pytest.mark.parametrize("name", ["crop-bicubic", "crop_fraction-bilinear", "letterbox-bicubic"])
def test_jpeg_however_it_is_encoded(name, options):
    data = jpeg(photo("coffee"), **options)
    apart = np.abs(ours.levels(data, RECIPES[name]) - expected_levels(data, RECIPES[name]))
    assert apart.max() <= ARITHMETIC


@pytest.mark.parametrize(
    "size",
    [(1, 1), (2, 1), (1, 40), (7, 5), (8, 8), (9, 16), (17, 33), (31, 15), (64, 3), (300, 2)],
)
@each_fit
def test_jpeg_of_odd_and_tiny_sizes(size, recipe):
    data = jpeg(resized(photo("flower"), *size), subsampling="4:2:0")
    apart = np.abs(ours.levels(data, recipe) - expected_levels(data, recipe))
    assert apart.max() <= ARITHMETIC


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("channels", ["RGB", "BGR"])
@pytest.mark.parametrize("fit", [{"fit": "stretch"}, {"fit": "letterbox", "pad": 200}])
def test_layout_and_channel_order(layout, channels, fit):
    recipe = InputRecipe(
        size=(100, 140),
        **fit,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        layout=layout,
        channels=channels,
        decode="exact",
    )
    row = ours.row(photo("astronaut"), recipe)
    assert row.dtype == np.float32
    expected = normalisation.row(float_rows.levels(photo("astronaut"), recipe), recipe)
    assert row.shape == expected.shape
    assert np.abs(row - expected).max() <= ARITHMETIC / 255 / 0.224


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("channels", ["RGB", "BGR"])
def test_uint8_rows_are_rounded(layout, channels):
    recipe = InputRecipe(
        size=(96, 128), fit="stretch", pixel_range=255.0, layout=layout, channels=channels
    )
    row = ours.row(photo("china"), recipe, dtype="uint8")
    assert row.dtype == np.uint8
    expected = normalisation.row(float_rows.levels(photo("china"), recipe), recipe)
    assert np.abs(row - expected).max() <= 0.5 + ARITHMETIC


def test_gray_is_replicated():
    gray = photo("coffee").mean(axis=2).astype(np.uint8)
    levels = ours.levels(jpeg(gray), RECIPES["crop-bicubic"])
    assert (levels[..., 0] == levels[..., 1]).all()
    assert (levels[..., 0] == levels[..., 2]).all()
    assert np.abs(levels - expected_levels(jpeg(gray), RECIPES["crop-bicubic"])).max() <= ARITHMETIC


def test_orientation_may_be_ignored():
    recipe = msgspec.structs.replace(RECIPES["stretch-bilinear"], orientation="ignore")
    turned, upright = jpeg(photo("rocket"), orientation=6), jpeg(photo("rocket"))
    assert (ours.row(turned, recipe) == ours.row(upright, recipe)).all()
