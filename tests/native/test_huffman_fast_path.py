"""The core's Huffman decoder inside libjpeg changes no bit of a result and no word of an error."""

import io

import pytest
import simplejpeg
from PIL import Image

from corpus.uploads import each_upload
from oracle.photos import jpeg, photo, photo_names, resized
from photic.preprocess._native import NativeError, use_huffman_fast_path

PLANS = (
    {"decode": "exact"},
    {"decode": "exact", "fit": "stretch", "resize": 0, "crop_decode": False},
    {"decode": "fast", "resize": 120, "height": 100, "width": 100},
    {"decode": "fast", "resize": 60, "height": 48, "width": 48},
    {"decode": "fast", "resize": 24, "height": 20, "width": 20, "reject_truncated": False},
)
"""Photos of some hundred pixels are decoded at 1/1, 1/2, 1/4 and 1/8 of their size."""


@pytest.fixture(autouse=True)
def in_use_again():
    yield
    use_huffman_fast_path(True)


def outcome(decode, data, plan):
    try:
        return decode(data, **plan).tobytes()
    except NativeError as error:
        return error.args


def assert_same(decode, data):
    for plan in PLANS:
        use_huffman_fast_path(False)
        expected = outcome(decode, data, plan)
        use_huffman_fast_path(True)
        assert outcome(decode, data, plan) == expected, plan


@each_upload
def test_uploads(decode, upload):
    assert_same(decode, upload.data)


@pytest.mark.parametrize("folder", ["labelled", "cc0", "camera"])
def test_photos(decode, shared, folder):
    paths = sorted((shared / "photos" / folder).iterdir())
    for path in paths if folder == "camera" else paths[::10]:
        assert_same(decode, path.read_bytes())


@pytest.mark.parametrize("name", photo_names())
@pytest.mark.parametrize("quality", [1, 30, 75, 95, 100])
@pytest.mark.parametrize("optimize", [False, True])
def test_encoded_by_pillow(decode, name, quality, optimize):
    pixels = resized(photo(name), 453, 331)
    for sampling in ("4:4:4", "4:2:2", "4:2:0"):
        data = jpeg(pixels, quality=quality, subsampling=sampling, optimize=optimize)
        assert_same(decode, data)
    assert_same(decode, jpeg(pixels, quality=quality, restart_marker_blocks=5))


@pytest.mark.parametrize("sampling", ["444", "422", "420", "440", "411", "Gray"])
def test_encoded_by_simplejpeg(decode, sampling):
    pixels = resized(photo("coffee"), 453, 331)
    colours = "GRAY" if sampling == "Gray" else "RGB"
    if colours == "GRAY":
        pixels = pixels[:, :, 1:2].copy()
    for quality in (10, 60, 98):
        assert_same(decode, simplejpeg.encode_jpeg(pixels, quality, colours, sampling))


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_other_colours(decode, mode):
    file = io.BytesIO()
    Image.fromarray(resized(photo("flower"), 453, 331)).convert(mode).save(file, "JPEG", quality=93)
    assert_same(decode, file.getvalue())


@pytest.mark.parametrize("part", [0.2, 0.7, 0.99])
def test_truncated(decode, chelsea_jpeg, part):
    assert_same(decode, chelsea_jpeg[: int(part * len(chelsea_jpeg))])
