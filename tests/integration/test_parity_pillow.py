"""The decode modes against Pillow's own two rounded passes, on photos of the test packages."""

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from oracle import ours, pillow_rows
from oracle.comparison import difference
from oracle.geometry import placement
from oracle.photos import jpeg, photo, photo_names, resized
from oracle.recipes import LITE0, LITE0_EXACT
from photic.models.recipe import InputRecipe
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

ENCODINGS = {
    "420": {"subsampling": "4:2:0"},
    "422": {"subsampling": "4:2:2"},
    "444": {"subsampling": "4:4:4", "quality": 95},
    "420-progressive": {"subsampling": "4:2:0", "quality": 75, "progressive": True},
}


def gradient(height: int, width: int) -> NDArray[np.uint8]:
    """A smooth image of any size."""
    line = np.linspace(0, 255, width).astype(np.uint8)
    return np.repeat(np.broadcast_to(line, (height, width))[..., None], 3, axis=2)


each_encoding = pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS.keys())


@each_encoding
@pytest.mark.parametrize("name", photo_names())
def test_exact(name, encoding):
    data = jpeg(photo(name), **encoding)
    apart = difference(name, ours.levels(data, LITE0_EXACT), pillow_rows.levels_of(data, LITE0))
    assert apart.mean <= 0.35
    assert apart.within_4 >= 0.995


@each_encoding
@pytest.mark.parametrize("width", [1_000, 2_000, 4_000])
@pytest.mark.parametrize("name", ["chelsea", "coffee", "china"])
def test_balanced_where_the_decoder_scales(name, width, encoding):
    pixels = photo(name)
    data = jpeg(resized(pixels, width, width * pixels.shape[0] // pixels.shape[1]), **encoding)
    apart = difference(name, ours.levels(data, LITE0), pillow_rows.levels_of(data, LITE0))
    assert apart.mean <= 0.7


@pytest.mark.parametrize(
    "fit",
    [
        {"fit": "crop", "resize": 72},
        {"fit": "crop", "crop_fraction": 0.875},
        {"fit": "stretch"},
        {"fit": "letterbox"},
    ],
    ids=lambda fit: fit["fit"] + ("_fraction" if "crop_fraction" in fit else ""),
)
@pytest.mark.parametrize("filter_", ["bilinear", "bicubic"])
@pytest.mark.parametrize("orientation", [1, 6, 7])
def test_balanced_with_every_fit(fit, filter_, orientation):
    recipe = InputRecipe(size=(56, 72), filter=filter_, **fit)
    data = jpeg(photo("coffee"), orientation=orientation)
    apart = difference("coffee", ours.levels(data, recipe), pillow_rows.levels_of(data, recipe))
    assert apart.mean <= 0.7


@pytest.mark.parametrize(("decode", "margin"), [("exact", None), ("balanced", 2), ("fast", 1)])
@pytest.mark.parametrize("height", [256, 257, 400, 511, 512, 513, 1_030, 2_060, 4_200])
def test_scaled_decode_leaves_its_margin_to_the_filter(decode, margin, height):
    """The smallest scale that is still ``margin`` times the resized side; the decoder rounds up."""
    preprocessor = Preprocessor(msgspec.structs.replace(LITE0, decode=decode), DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    denominator = preprocessor.into(jpeg(gradient(height, height)), row).scale_denominator
    if margin is None:
        assert denominator == 1
        return
    assert -(-height // denominator) >= min(height, margin * 256)
    assert denominator == 8 or height // (2 * denominator) < margin * 256


@pytest.mark.parametrize("file_format", ["PNG", "WEBP"])
def test_other_formats_take_the_same_filters(file_format, tmp_path):
    path = tmp_path / "photo"
    Image.fromarray(photo("chelsea")).save(path, file_format, lossless=True)
    assert (ours.row(path.read_bytes(), LITE0) == ours.row(photo("chelsea"), LITE0)).all()


@pytest.mark.parametrize("axis", [0, 1], ids=["across", "down"])
@pytest.mark.parametrize(("crop", "resize"), [(224, 256), (48, 56), (24, 28)], ids=str)
def test_the_window_does_not_jump_with_the_size(axis, crop, resize):
    """Bug B05: shrink-on-load rounds a size on the way, and the crop is off by a pixel.

    How much of the row is dark tells where a dark-to-light edge lies, to a fraction of a pixel:
    within half a source pixel of where it was drawn, at all sizes and decoder scales.
    """
    recipe = InputRecipe(size=(crop, crop), fit="crop", resize=resize, pixel_range=255.0)
    for size in zip(range(385, 416, 2), range(255, 286, 2), strict=True):
        place, length = placement(recipe, size), size[axis]
        for edge in (length * 2 // 5, length // 2, length * 3 // 5):
            levels = ours.levels(jpeg(with_edge(size, axis, edge), quality=98), recipe)[..., 0]
            dark = ((LIGHT - levels.mean(axis=axis)) / (LIGHT - DARK)).sum()
            seen = (place.window[axis] + dark) * length / place.resized[axis]
            assert abs(seen - edge) <= 0.25, (size, edge)


DARK, LIGHT = 64, 192


def with_edge(size: tuple[int, int], axis: int, edge: int) -> NDArray[np.uint8]:
    """A gray image, dark before the edge and light from it on."""
    line = np.where(np.arange(size[axis]) < edge, DARK, LIGHT).astype(np.uint8)
    line = line[None, :] if axis == 0 else line[:, None]
    return np.ascontiguousarray(np.broadcast_to(line, size[::-1]))
