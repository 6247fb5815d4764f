"""Photos that the test dependencies bring along, and how to make JPEGs of them."""

import io
from functools import cache
from typing import Any

import numpy as np
import skimage.data
import sklearn.datasets
from numpy.typing import NDArray
from PIL import Image

FROM_SKIMAGE = ("chelsea", "coffee", "rocket", "astronaut")
FROM_SKLEARN = ("china", "flower")

LABELS = {
    "chelsea": "tiger cat",
    "coffee": "espresso",
    "rocket": "missile",
    "china": "palace",
    "flower": "daisy",
}
"""What the embedded model says of them (reference/facts.md, section 5)."""


@cache
def photo(name: str) -> NDArray[np.uint8]:
    """A photo, [height, width, 3] RGB."""
    if name in FROM_SKLEARN:
        return np.asarray(sklearn.datasets.load_sample_image(f"{name}.jpg"))
    return np.ascontiguousarray(getattr(skimage.data, name)())


def photo_names() -> tuple[str, ...]:
    return FROM_SKIMAGE + FROM_SKLEARN


def jpeg(pixels: NDArray[np.uint8], *, orientation: int = 1, **options: Any) -> bytes:
    """Pixels as a JPEG file; ``options`` are Pillow's (quality, subsampling, progressive ...)."""
    file = io.BytesIO()
    image = Image.fromarray(pixels)
    if orientation != 1:
        options["exif"] = image.getexif()
        options["exif"][0x0112] = orientation
    image.save(file, "JPEG", **{"quality": 90, **options})
    return file.getvalue()


def resized(pixels: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """The photo in another size, so that a test is not tied to the sizes that packages ship."""
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS))
