"""The photos that are sent: folders of one's own, or three sizes made from package photos."""

import hashlib
import io
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import skimage.data
import sklearn.datasets
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

__all__ = ["Mix", "default_mixes", "folder_mix"]

MOST = 100
"""Photos taken from a folder, evenly spread: each is then sent several times a round."""

SIZES = {"small": (500, 375), "medium": (1_280, 860), "large": (4_160, 3_120)}
"""0.19, 1.1 and 13 megapixels."""

NOISE_LEVELS = 4.0
"""Standard deviation of the grain: without it an enlarged photo compresses to almost nothing."""


class Mix(Struct, frozen=True):
    """JPEG files in the order in which they are sent, again and again.

    Attributes:
        name: Of the mix, in all results.
        photos: The files' bytes; shuffled, so that any part of a round is a fair sample.
    """

    name: str
    photos: tuple[bytes, ...]

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that tell these photos from any others."""
        return hashlib.sha256(b"".join(self.photos)).hexdigest()[:16]


def folder_mix(folder: Path) -> Mix:
    """Up to 100 of a folder's JPEG files.

    Raises:
        FileNotFoundError: There is none.
    """
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in {".jpg", ".jpeg"})
    if not paths:
        raise FileNotFoundError(f"{folder} holds no .jpg")
    wanted = min(MOST, len(paths))
    chosen = [paths[i * len(paths) // wanted] for i in range(wanted)]
    return _shuffled(folder.resolve().name, [path.read_bytes() for path in chosen])


def default_mixes() -> list[Mix]:
    """Small, medium and large JPEGs of photos that come with scikit-image and scikit-learn."""
    return [
        _shuffled(name, [_jpeg(pixels, size) for pixels in _package_photos()])
        for name, size in SIZES.items()
    ]


def _shuffled(name: str, photos: list[bytes]) -> Mix:
    random.Random(name).shuffle(photos)  # noqa: S311  the same order in every run
    return Mix(name, tuple(photos))


def _package_photos() -> Iterator[NDArray[np.uint8]]:
    for name in ("chelsea", "coffee", "rocket", "astronaut"):
        yield getattr(skimage.data, name)()
    for name in ("china", "flower"):
        yield sklearn.datasets.load_sample_image(f"{name}.jpg")


def _jpeg(pixels: NDArray[np.uint8], size: tuple[int, int]) -> bytes:
    image = Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS)
    random_state = np.random.default_rng(0)
    grain = random_state.standard_normal((size[1], size[0], 1), dtype=np.float32) * NOISE_LEVELS
    grainy = np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(grainy).save(file, "JPEG", quality=85)
    return file.getvalue()
