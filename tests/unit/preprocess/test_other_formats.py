import io
import random
import struct
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFile

from photic.errors import ImageError
from photic.preprocess.other_formats import decode_other
from photic.settings import DecodeSettings

LIMITS = DecodeSettings()
# A gradient, so that a flipped, shifted or channel-swapped result is far off.
PIXELS: NDArray[np.uint8] = np.stack(
    np.broadcast_arrays(
        np.arange(0, 240, 6)[:, None], np.arange(0, 240, 4)[None, :], np.full((40, 60), 128)
    ),
    axis=2,
).astype(np.uint8)


def encode(image: Image.Image, encoding: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, encoding, **options)
    return buffer.getvalue()


def gradient(mode: str = "RGB") -> Image.Image:
    return Image.fromarray(PIXELS).convert(mode)


@pytest.mark.parametrize(
    ("kind", "options", "tolerance"),
    [
        ("png", {}, 0),
        ("webp", {"lossless": True}, 0),
        ("webp", {"quality": 95}, 4),
        ("bmp", {}, 0),
        ("tiff", {}, 0),
        ("tiff", {"compression": "tiff_lzw"}, 0),
        ("gif", {}, 8),
        ("avif", {"quality": 95}, 4),
    ],
)
def test_decodes_to_upright_rgb(kind: str, options: dict[str, object], tolerance: float) -> None:
    pixels, orientation = decode_other(encode(gradient(), kind.upper(), **options), kind, LIMITS)
    assert (pixels.shape, pixels.dtype, orientation) == ((40, 60, 3), np.uint8, 1)
    assert np.abs(pixels.astype(float) - PIXELS).mean() <= tolerance


def test_alpha_is_dropped_not_blended() -> None:
    image = gradient("RGBA")
    image.putalpha(0)
    for kind, options in (("png", {}), ("webp", {"lossless": True, "exact": True})):
        pixels, _ = decode_other(encode(image, kind.upper(), **options), kind, LIMITS)
        np.testing.assert_array_equal(pixels, PIXELS)


def test_a_palette_with_transparency_keeps_its_colours() -> None:
    image = Image.new("P", (4, 1))
    image.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255])
    image.putdata([0, 1, 2, 0])
    data = encode(image, "PNG", transparency=b"\x00\x80\xff")
    pixels, _ = decode_other(data, "png", LIMITS)
    assert pixels[0].tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 0]]


@pytest.mark.parametrize("mode", ["L", "LA", "1"])
def test_gray_becomes_three_equal_channels(mode: str) -> None:
    image = Image.new("L", (3, 2), 255).convert(mode)
    pixels, _ = decode_other(encode(image, "PNG"), "png", LIMITS)
    assert pixels.tolist() == [[[255, 255, 255]] * 3] * 2


def test_sixteen_bits_keep_their_high_byte() -> None:
    levels = np.array([[0, 255, 256, 32768, 65535]], np.uint16)
    for kind in ("png", "tiff"):
        pixels, _ = decode_other(encode(Image.fromarray(levels), kind.upper()), kind, LIMITS)
        assert pixels[0, :, 0].tolist() == [0, 0, 1, 128, 255]
        assert (pixels == pixels[:, :, :1]).all()


def test_cmyk_is_no_negative() -> None:
    pixels, _ = decode_other(encode(gradient("CMYK"), "TIFF"), "tiff", LIMITS)
    assert np.abs(pixels.astype(float) - PIXELS).max() <= 1


def test_samples_without_a_range_are_refused() -> None:
    data = encode(gradient("F"), "TIFF")
    with pytest.raises(ImageError, match="32-bit samples") as caught:
        decode_other(data, "tiff", LIMITS)
    assert caught.value.code == "unsupported_precision"


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
def test_the_first_frame_of_an_animation(kind: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    options = {"save_all": True, "append_images": frames[1:], "duration": 100}
    if kind == "webp":
        options["lossless"] = True
    pixels, _ = decode_other(encode(frames[0], kind.upper(), **options), kind, LIMITS)
    assert pixels[4, 4, 0] > 200
    assert pixels[4, 4, 2] < 50


# What a viewer does for each EXIF orientation (TIFF 6.0, tag 274), in NumPy's terms.
TURNS: dict[int, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    1: lambda a: a,
    2: np.fliplr,
    3: lambda a: np.rot90(a, 2),
    4: np.flipud,
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.rot90(a, 2).transpose(1, 0, 2),
    8: np.rot90,
}


@pytest.mark.parametrize("kind", ["png", "webp", "tiff", "avif"])
@pytest.mark.parametrize("tag", TURNS)
def test_pixels_and_orientation_make_the_upright_image(kind: str, tag: int) -> None:
    """Pillow turns TIFF itself and the others not; together they must come out the same."""
    exif = Image.Exif()
    exif[0x0112] = tag
    options = {"webp": {"lossless": True}, "avif": {"quality": 95}}.get(kind, {})
    data = encode(gradient(), kind.upper(), exif=exif, **options)
    pixels, orientation = decode_other(data, kind, LIMITS)
    upright, expected = TURNS[orientation](pixels), TURNS[tag](PIXELS)
    assert upright.shape == expected.shape
    assert np.abs(upright.astype(float) - expected).mean() <= 4


@pytest.mark.parametrize("kind", ["png", "webp"])
@pytest.mark.parametrize("tag", [0, 9, 65_535])
def test_an_invalid_orientation_means_upright(kind: str, tag: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = tag
    assert decode_other(encode(gradient(), kind.upper(), exif=exif), kind, LIMITS)[1] == 1


def png_header(width: int, height: int) -> bytes:
    """A PNG that declares a size and carries hardly any data."""

    def chunk(name: bytes, body: bytes) -> bytes:
        crc = zlib.crc32(name + body)
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(
    ("width", "height", "words"),
    [
        (4000, 3001, "4000 x 3001 = 12004000 pixels; the limit is 12000000 for formats other"),
        (20_000, 20_000, "= 400000000 pixels"),  # Pillow's own error limit
        (65_501, 1, "65501 x 1 pixels; the limit is 65500 a side"),
        (2**31 - 1, 2**31 - 1, "a side"),
    ],
)
def test_too_many_pixels_are_refused_on_the_header(width: int, height: int, words: str) -> None:
    with pytest.raises(ImageError) as caught:
        decode_other(png_header(width, height), "png", LIMITS)
    assert caught.value.code == "too_many_pixels"
    assert words in caught.value.detail


def test_the_limit_itself_is_allowed() -> None:
    limits = DecodeSettings(max_other_pixels=2400)
    assert decode_other(encode(gradient(), "PNG"), "png", limits)[0].shape == (40, 60, 3)


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def flip_image_data(data: bytes) -> bytes:
    at = data.index(b"IDAT") + 12
    return data[:at] + bytes(byte ^ 0x5A for byte in data[at : at + 8]) + data[at + 8 :]


def break_header(data: bytes) -> bytes:
    return data.replace(b"IHDR", b"IHDX")


@pytest.mark.parametrize(
    ("kind", "spoil", "code"),
    [
        ("png", cut, "truncated"),
        ("webp", cut, "truncated"),
        ("gif", cut, "truncated"),
        ("bmp", cut, "truncated"),
        ("png", flip_image_data, "corrupt_data"),
        ("png", break_header, "bad_structure"),
    ],
)
def test_broken_files_have_a_code(kind: str, spoil: Callable[[bytes], bytes], code: str) -> None:
    noise = Image.effect_noise((64, 64), 80).convert("RGB")
    with pytest.raises(ImageError) as caught:
        decode_other(spoil(encode(noise, kind.upper())), kind, LIMITS)
    assert caught.value.code == code
    assert "\n" not in caught.value.detail


@pytest.mark.parametrize("kind", ["png", "webp", "gif", "bmp", "avif"])
def test_random_damage_never_raises_anything_else(kind: str) -> None:
    """A wrong plugin call or an uncaught type of error would show; warnings are errors here."""
    chance = random.Random(1)  # noqa: S311 - reproducible, not secret
    good = encode(gradient(), kind.upper())
    codes = set()
    for _ in range(200):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            decode_other(bytes(data), kind, LIMITS)
        except ImageError as error:
            codes.add(error.code)
    assert codes <= {
        "truncated",
        "bad_structure",
        "corrupt_data",
        "too_many_pixels",
        "bad_dimensions",
        "unsupported_precision",
    }


def test_running_out_of_memory_is_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    data = encode(gradient(), "PNG")
    monkeypatch.setattr(ImageFile.ImageFile, "load", fail)
    with pytest.raises(ImageError, match="more memory") as caught:
        decode_other(data, "png", LIMITS)
    assert caught.value.code == "decoder_memory"
