"""The recipe's terms become the core's, and the core's refusals become ImageErrors."""

import io
import threading

import numpy as np
import pytest
from PIL import Image

from photic.errors import DecodeDeferred, ImageError
from photic.models.recipe import InputRecipe
from photic.preprocess import Preprocessor, other_formats
from photic.preprocess import preprocessor as preprocessor_module
from photic.preprocess._native import NativeError
from photic.settings import DecodeSettings

FLAT = (40, 120, 200)


def flat_file(image_format: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 48), FLAT).save(file, image_format)
    return file.getvalue()


def row(image, *, recipe=None, settings=None, dtype="float32"):
    recipe = recipe or InputRecipe(size=(8, 8), resize=8)
    preprocessor = Preprocessor(recipe, settings or DecodeSettings(), dtype=dtype)
    out = np.full(preprocessor.shape, 99, preprocessor.dtype)
    if isinstance(image, np.ndarray):
        preprocessor.pixels_into(image, out)
    else:
        preprocessor.into(image, out)
    return out


def test_values_are_levels_in_units_of_the_pixel_range_less_mean_over_std():
    recipe = InputRecipe(
        size=(8, 8), resize=8, pixel_range=1.0, mean=(0.1, 0.2, 0.3), std=(0.5, 0.25, 2.0)
    )
    pixels = np.full((8, 8, 3), FLAT, np.uint8)
    expected = (np.array(FLAT) / 255 - [0.1, 0.2, 0.3]) / [0.5, 0.25, 2.0]
    assert row(pixels, recipe=recipe)[:, 3, 3] == pytest.approx(expected, abs=1e-5)


def test_mean_and_std_are_in_the_order_of_the_channels():
    recipe = InputRecipe(
        size=(8, 8),
        resize=8,
        pixel_range=255.0,
        mean=(1.0, 2.0, 3.0),
        std=(2.0, 4.0, 8.0),
        channels="BGR",
        layout="NHWC",
    )
    pixels = np.full((8, 8, 3), FLAT, np.uint8)
    expected = (np.array(FLAT[::-1]) - [1, 2, 3]) / [2, 4, 8]
    assert row(pixels, recipe=recipe)[3, 3] == pytest.approx(expected, abs=1e-4)


def test_a_uint8_row_holds_the_levels():
    recipe = InputRecipe(size=(8, 8), resize=8, mean=(0.5, 0.5, 0.5), layout="NHWC")
    pixels = np.full((8, 8, 3), FLAT, np.uint8)
    assert (row(pixels, recipe=recipe, dtype="uint8") == FLAT).all()


def test_shape_and_dtype_follow_the_recipe():
    recipe = InputRecipe(size=(6, 9), fit="stretch")
    assert Preprocessor(recipe, DecodeSettings()).shape == (3, 6, 9)
    nhwc = InputRecipe(size=(6, 9), fit="stretch", layout="NHWC")
    preprocessor = Preprocessor(nhwc, DecodeSettings(), dtype="uint8")
    assert (preprocessor.shape, preprocessor.dtype) == ((6, 9, 3), np.dtype(np.uint8))


@pytest.mark.parametrize("image_format", ["JPEG", "PNG", "WEBP"])
def test_the_bytes_decide_how_they_are_decoded(image_format):
    recipe = InputRecipe(size=(8, 8), resize=8, pixel_range=255.0)
    colours = row(flat_file(image_format), recipe=recipe)[:, 3, 3]
    assert colours == pytest.approx(FLAT, abs=3)


def test_formats_that_are_not_enabled_are_refused():
    with pytest.raises(ImageError, match="not enabled") as caught:
        row(flat_file("PNG"), settings=DecodeSettings(formats=()))
    assert caught.value.http_status == 415


def test_the_info_is_that_of_the_file():
    preprocessor = Preprocessor(InputRecipe(size=(8, 8), resize=8), DecodeSettings())
    out = np.empty(preprocessor.shape, preprocessor.dtype)
    info = preprocessor.into(flat_file("JPEG"), out)
    assert (info.width, info.height, info.components, info.orientation) == (64, 48, 3, 1)
    assert (info.progressive, info.scale_denominator) == (False, 2)
    assert preprocessor.into(flat_file("PNG"), out).width == 64


def test_a_refusal_of_the_core_is_an_image_error():
    with pytest.raises(ImageError, match="the limit is 1000") as caught:
        row(flat_file("JPEG"), settings=DecodeSettings(max_pixels=1000))
    assert (caught.value.code, caught.value.http_status) == ("too_many_pixels", 422)
    assert caught.value.__suppress_context__


def test_limits_are_in_the_units_of_the_settings():
    settings = DecodeSettings(time_base_ms=0, time_per_megabyte_ms=0, time_per_megapixel_ms=0)
    noise = np.random.default_rng(1).integers(0, 256, (1500, 1500, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).save(file, "JPEG")
    with pytest.raises(ImageError, match="0 ms") as caught:
        row(file.getvalue(), settings=settings)
    assert caught.value.code == "decode_time"


def test_pixels_need_not_be_contiguous():
    pixels = np.random.default_rng(1).integers(0, 256, (20, 40, 3), np.uint8)
    assert (row(pixels[:, ::2]) == row(pixels[:, ::2].copy())).all()


def test_threads_share_a_preprocessor():
    preprocessor = Preprocessor(InputRecipe(size=(8, 8), resize=8), DecodeSettings())
    data, expected, barrier, wrong = (
        flat_file("JPEG"),
        row(flat_file("JPEG")),
        threading.Barrier(4),
        [],
    )

    def work():
        out = np.empty(preprocessor.shape, preprocessor.dtype)
        barrier.wait()
        for _ in range(200):
            preprocessor.into(data, out)
            if not (out == expected).all():
                wrong.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("image_format", ["PNG", "WEBP"])
def test_without_room_a_decode_that_does_not_wait_is_deferred(image_format):
    preprocessor = Preprocessor(InputRecipe(size=(8, 8), resize=8), DecodeSettings())
    out = np.empty(preprocessor.shape, preprocessor.dtype)
    data, limit = flat_file(image_format), DecodeSettings().max_other_pixels
    with other_formats._ROOM.enter(limit, limit):
        with pytest.raises(DecodeDeferred) as deferred:
            preprocessor.into(data, out, wait=False)
        assert not deferred.value.has_room()
        assert preprocessor.into(flat_file("JPEG"), out, wait=False).width == 64
    assert deferred.value.has_room()
    assert preprocessor.into(data, out, wait=False).width == 64


def test_without_memory_a_decode_that_does_not_wait_is_deferred(monkeypatch):
    """The budget is the process's; so a decode that ends while it is looked at is simulated."""
    preprocessor = Preprocessor(InputRecipe(size=(8, 8), resize=8), DecodeSettings())
    out = np.empty(preprocessor.shape, preprocessor.dtype)
    decoder = preprocessor_module.Decoder(preprocessor._plan, preprocessor._native_limits)
    decoder.decode_into(flat_file("JPEG"), out)

    class Full:
        wanted_bytes = decoder.wanted_bytes

        def decode_into(self, _image, _out, wait):
            assert not wait
            raise NativeError("no_room", "the detail")

    monkeypatch.setattr(preprocessor, "_decoder", Full)
    with pytest.raises(DecodeDeferred) as deferred:
        preprocessor.into(flat_file("JPEG"), out, wait=False)
    assert deferred.value.has_room()
    monkeypatch.setattr(Full, "wanted_bytes", 10**9)
    with pytest.raises(DecodeDeferred) as deferred:
        preprocessor.into(flat_file("JPEG"), out, wait=False)
    assert not deferred.value.has_room()
