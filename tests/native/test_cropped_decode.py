"""Decoding only the pixels that are needed changes no bit of the result."""

from contextlib import suppress

import pytest

from corpus.uploads import each_upload
from oracle.photos import jpeg, photo, resized
from photic.preprocess._native import NativeError

SIZES = ((256, 224), (96, 64), (48, 24), (20, 4))
"""Short side and crop: a photo of 900 pixels is decoded at 1/1, 1/2, 1/4 and 1/8 of its size."""


def assert_equal(run, data, resize, crop, mode):
    plan = {"resize": resize, "height": crop, "width": crop, "decode": mode}
    assert (run(data, **plan, crop_decode=True) == run(data, **plan, crop_decode=False)).all()


@pytest.mark.parametrize("sampling", ["4:4:4", "4:2:2", "4:2:0"])
@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("orientation", [1, 6])
def test_photos(decode, sampling, progressive, orientation):
    pixels = resized(photo("astronaut"), 1301, 907)
    data = jpeg(pixels, subsampling=sampling, progressive=progressive, orientation=orientation)
    for resize, crop in SIZES:
        assert_equal(decode, data, resize, crop, "fast")


@each_upload
def test_uploads(decode, upload):
    for resize, crop in SIZES:
        for mode in ("exact", "fast"):
            with suppress(NativeError):
                assert_equal(decode, upload.data, resize, crop, mode)
