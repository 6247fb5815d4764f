"""PNG, WebP and the formats that are enabled on request: Pillow decodes them to pixels.

The plugin of the one format is called, so that no other parser sees the bytes, and the size in the
header is checked before any pixel is decoded. Pillow cannot be interrupted, hence the low limit.
"""

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from photic.errors import DecodeDeferred, ImageError
from photic.preprocess.pixel_room import PixelRoom
from photic.preprocess.signature import FORMAT_NAMES
from photic.settings import DecodeSettings

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["decode_other"]

_PLUGINS: Final[dict[str, Callable[[BytesIO], ImageFile.ImageFile]]] = {
    "png": PngImagePlugin.PngImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
    "gif": GifImagePlugin.GifImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
    "tiff": TiffImagePlugin.TiffImageFile,
    "avif": AvifImagePlugin.AvifImageFile,
}
_ROOM: Final = PixelRoom()
"""One for the process, whatever the number of models: it bounds the process's memory."""

_ORIENTATION_TAG: Final = 0x0112
_SIXTEEN_BIT: Final = ("I;16", "I;16L", "I;16B", "I;16N")
_UNBOUNDED: Final = ("I", "F")
_ORIENTATIONS: Final = range(1, 9)


def decode_other(
    data: "Buffer", kind: str, limits: DecodeSettings, *, wait: bool = True
) -> tuple[NDArray[np.uint8], int]:
    """Decode an image that is not a JPEG.

    Of an animation, the first frame. Alpha is dropped, as ``convert("RGB")`` does for torchvision's
    users: transparent pixels show the colour that is stored under them. 16-bit samples keep their
    high byte. CMYK is converted without a profile.

    Args:
        data: The whole file.
        kind: What ``signature.identify`` said, a member of ``settings.ImageFormat``.
        limits: ``max_other_pixels`` and ``max_side`` are enforced on the header.
        wait: Whether to wait while images that others decode leave no room for this one.

    Returns:
        Pixels [height, width, 3], RGB, and the EXIF orientation, 1 to 8, that they still need
        (1 for TIFF, which Pillow turns itself).

    Raises:
        ImageError: The file is cut off, broken, too large, or of samples without a range.
        DecodeDeferred: There is no room, and ``wait`` is false.
    """
    try:
        with _PLUGINS[kind](BytesIO(data)) as image:
            _check_size(image, kind, limits)
            pixels = image.width * image.height
            with _ROOM.enter(pixels, limits.max_other_pixels, wait=wait):
                return _to_rgb(image, kind), _orientation(image)
    except (ImageError, DecodeDeferred):
        raise
    except MemoryError:
        raise ImageError(
            f"this {FORMAT_NAMES[kind]} needs more memory than there is", code="decoder_memory"
        ) from None
    except Image.DecompressionBombError as error:
        raise ImageError(str(error), code="too_many_pixels") from None
    except Exception as error:  # noqa: BLE001 - on hostile bytes, Pillow's plugins raise anything
        raise _explain(error, kind, data) from None


def _check_size(image: Image.Image, kind: str, limits: DecodeSettings) -> None:
    width, height = image.size
    size = f"this {FORMAT_NAMES[kind]} is {width} x {height}"
    if width < 1 or height < 1:
        raise ImageError(f"{size} pixels", code="bad_dimensions")
    if max(width, height) > limits.max_side:
        detail = f"{size} pixels; the limit is {limits.max_side} a side"
        raise ImageError(detail, code="too_many_pixels")
    if width * height > limits.max_other_pixels:
        raise ImageError(
            f"{size} = {width * height} pixels; the limit is {limits.max_other_pixels} for formats "
            f"other than JPEG (JPEG: {limits.max_pixels})",
            code="too_many_pixels",
        )


def _to_rgb(image: Image.Image, kind: str) -> NDArray[np.uint8]:
    if image.mode in _UNBOUNDED:
        raise ImageError(
            f"this {FORMAT_NAMES[kind]} has 32-bit samples, which have no known range: send 8 or "
            "16 bits",
            code="unsupported_precision",
        )
    image.load()
    if image.mode in _SIXTEEN_BIT:
        high = (np.asarray(image) >> 8).astype(np.uint8)
        return np.repeat(high[:, :, np.newaxis], 3, axis=2)
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")  # the direct way to RGB warns when the palette has alpha
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


def _orientation(image: Image.Image) -> int:
    value = image.getexif().get(_ORIENTATION_TAG, 1)
    return value if isinstance(value, int) and value in _ORIENTATIONS else 1


def _explain(error: Exception, kind: str, data: "Buffer") -> ImageError:
    """Pillow's error as one of ours; the exception's type says little, its text a bit more."""
    text = " ".join(str(error).split()) or type(error).__name__
    says_so = isinstance(error, EOFError) or any(word in text.lower() for word in _CUT_OFF)
    if says_so or (kind == "webp" and _misses_riff_data(data)):
        return ImageError(f"this {FORMAT_NAMES[kind]} is cut off ({text})", code="truncated")
    structural = isinstance(error, SyntaxError | NotImplementedError | TypeError | KeyError)
    code = "bad_structure" if structural else "corrupt_data"
    return ImageError(f"this {FORMAT_NAMES[kind]} cannot be decoded ({text})", code=code)


_CUT_OFF: Final = ("truncated", "end of file", "unexpected end", "not enough data", "incomplete")


def _misses_riff_data(data: "Buffer") -> bool:
    """Whether the file is shorter than its RIFF header says; libwebp's errors do not tell."""
    view = memoryview(data).cast("B")
    return len(view) < int.from_bytes(view[4:8], "little") + 8
