"""What people write instead: the same row by hand, as fast as each library allows.

Every function makes the [3, 224, 224] float32 row of EfficientNet-Lite0 from a JPEG's bytes.
"""

import io
from collections.abc import Callable

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image, ImageOps

from oracle.geometry import placement
from oracle.recipes import LITE0

Row = NDArray[np.float32]


def normalised(pixels: NDArray[np.uint8]) -> Row:
    """[224, 224, 3] levels to (x - 127) / 128, channels first."""
    row = pixels.astype(np.float32)
    row -= 127.0
    row /= 128.0
    return np.ascontiguousarray(row.transpose(2, 0, 1))


def pillow(data: bytes) -> Row:
    """Decode, turn upright, bicubic, centre crop, normalise: torchvision's usual pipeline."""
    with Image.open(io.BytesIO(data)) as opened:
        image = ImageOps.exif_transpose(opened).convert("RGB")
    place = placement(LITE0, image.size)
    image = image.resize(place.resized, Image.Resampling.BICUBIC).crop(place.window)
    return normalised(np.asarray(image))


def pillow_draft(data: bytes) -> Row:
    """The same after ``Image.draft``, Pillow's way to a scaled decode."""
    with Image.open(io.BytesIO(data)) as opened:
        opened.draft("RGB", (512, 512))
        image = ImageOps.exif_transpose(opened).convert("RGB")
    place = placement(LITE0, image.size)
    image = image.resize(place.resized, Image.Resampling.BICUBIC).crop(place.window)
    return normalised(np.asarray(image))


def simplejpeg_pillow(data: bytes) -> Row:
    """TurboJPEG's decode (the EXIF tag is ignored), Pillow's resize."""
    pixels = simplejpeg.decode_jpeg(data, "RGB", min_height=512, min_width=512)
    image = Image.fromarray(pixels)
    place = placement(LITE0, image.size)
    image = image.resize(place.resized, Image.Resampling.BICUBIC).crop(place.window)
    return normalised(np.asarray(image))


def with_opencv() -> dict[str, Callable[[bytes], Row]]:
    """OpenCV's own decode, and TurboJPEG's with OpenCV's area filter; none without OpenCV."""
    try:
        import cv2
    except ImportError:
        return {}

    def shrunk(pixels: NDArray[np.uint8]) -> Row:
        place = placement(LITE0, (pixels.shape[1], pixels.shape[0]))
        left, top, right, bottom = place.window
        resized = cv2.resize(pixels, place.resized, interpolation=cv2.INTER_AREA)
        return normalised(resized[top:bottom, left:right])

    def opencv(data: bytes) -> Row:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
        return shrunk(pixels)

    def simplejpeg_opencv(data: bytes) -> Row:
        return shrunk(simplejpeg.decode_jpeg(data, "RGB", min_height=512, min_width=512))

    cv2.setNumThreads(1)
    return {"opencv": opencv, "simplejpeg_opencv": simplejpeg_opencv}


def all_rivals() -> dict[str, Callable[[bytes], Row]]:
    rivals = {f.__name__: f for f in (pillow, pillow_draft, simplejpeg_pillow)}
    return rivals | with_opencv()
