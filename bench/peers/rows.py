"""What people write instead of Photic's preprocessing: the row by hand, with each library.

Every function makes the [3, 224, 224] float32 row of EfficientNet-Lite0 from the bytes of a JPEG:
short side to 256, centre crop of 224, (x - 127) / 128. Rival servers import this: nothing here
knows Photic.
"""

import io
from collections.abc import Callable

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image, ImageOps

__all__ = [
    "all_rows",
    "opencv",
    "pillow",
    "pillow_box",
    "pillow_draft",
    "simplejpeg_cropped",
    "simplejpeg_opencv",
    "simplejpeg_pillow",
    "simplejpeg_smallest",
]

Row = NDArray[np.float32]
Pixels = NDArray[np.uint8]

RESIZE, CROP = 256, 224
DRAFT = 512
"""Scaled decodes keep at least twice the resolution that the filter needs."""


def resized_size(width: int, height: int) -> tuple[int, int]:
    """(width, height) with a short side of 256, as torchvision's Resize counts."""
    longer = int(RESIZE * max(width, height) / min(width, height))
    return (RESIZE, longer) if width <= height else (longer, RESIZE)


def crop_window(width: int, height: int) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of the centre crop, as torchvision's CenterCrop counts."""
    left, top = round((width - CROP) / 2.0), round((height - CROP) / 2.0)
    return left, top, left + CROP, top + CROP


def source_box(width: int, height: int) -> tuple[float, float, float, float]:
    """The crop's window in pixels of the unresized image."""
    across, down = resized_size(width, height)
    left, top, right, bottom = crop_window(across, down)
    return (
        left * width / across,
        top * height / down,
        right * width / across,
        bottom * height / down,
    )


def normalised(pixels: Pixels) -> Row:
    """[224, 224, 3] levels to (x - 127) / 128, channels first."""
    row = pixels.transpose(2, 0, 1).astype(np.float32, order="C")
    row -= 127.0
    row /= 128.0
    return row


def _opened(data: bytes, *, draft: bool = False) -> Image.Image:
    with Image.open(io.BytesIO(data)) as opened:
        if draft:
            opened.draft("RGB", (DRAFT, DRAFT))
        return ImageOps.exif_transpose(opened).convert("RGB")


def _resized_then_cropped(image: Image.Image) -> Row:
    across, down = resized_size(*image.size)
    image = image.resize((across, down), Image.Resampling.BICUBIC)
    return normalised(np.asarray(image.crop(crop_window(across, down))))


def _crop_resized(image: Image.Image) -> Row:
    """The same pixels without those outside the crop: Pillow takes a fractional box."""
    box = source_box(*image.size)
    image = image.resize((CROP, CROP), Image.Resampling.BICUBIC, box=box)
    return normalised(np.asarray(image))


def pillow(data: bytes) -> Row:
    """Decode, turn upright, bicubic, centre crop, normalise: torchvision's usual pipeline."""
    return _resized_then_cropped(_opened(data))


def pillow_box(data: bytes) -> Row:
    """The same, resizing no more than is kept."""
    return _crop_resized(_opened(data))


def pillow_draft(data: bytes) -> Row:
    """After ``Image.draft``, Pillow's way to a scaled decode: the fastest with Pillow alone."""
    return _crop_resized(_opened(data, draft=True))


def _scaled(data: bytes, least: int = DRAFT) -> Pixels:
    """TurboJPEG's scaled decode; it ignores the EXIF orientation."""
    return simplejpeg.decode_jpeg(data, "RGB", min_height=least, min_width=least)


def simplejpeg_pillow(data: bytes) -> Row:
    """TurboJPEG's decode, Pillow's resize."""
    return _crop_resized(Image.fromarray(_scaled(data)))


def _area(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    import cv2

    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)


def _area_then_cropped(pixels: Pixels) -> Row:
    size = resized_size(pixels.shape[1], pixels.shape[0])
    left, top, right, bottom = crop_window(*size)
    return normalised(_area(pixels, size)[top:bottom, left:right])


def opencv(data: bytes) -> Row:
    """OpenCV's own decode (it obeys the EXIF orientation) and its area filter."""
    import cv2

    return _area_then_cropped(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB))


def simplejpeg_opencv(data: bytes) -> Row:
    """TurboJPEG's decode, OpenCV's area filter."""
    return _area_then_cropped(_scaled(data))


def simplejpeg_smallest(data: bytes) -> Row:
    """The same from the smallest decode that need not be enlarged: faster, and less exact."""
    return _area_then_cropped(_scaled(data, RESIZE))


def simplejpeg_cropped(data: bytes) -> Row:
    """As ``simplejpeg_opencv``, but cropped to whole pixels before: faster, and less exact."""
    pixels = _scaled(data)
    box = source_box(pixels.shape[1], pixels.shape[0])
    left, top, right, bottom = (round(edge) for edge in box)
    return normalised(_area(pixels[top:bottom, left:right], (CROP, CROP)))


def all_rows() -> dict[str, Callable[[bytes], Row]]:
    """All of them by name; those that need OpenCV only where it is installed, on one thread."""
    rows = [pillow, pillow_box, pillow_draft, simplejpeg_pillow]
    try:
        import cv2
    except ImportError:
        pass
    else:
        cv2.setNumThreads(1)
        rows += [opencv, simplejpeg_opencv, simplejpeg_smallest, simplejpeg_cropped]
    return {row.__name__: row for row in rows}
