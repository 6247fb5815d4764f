"""The guard's photos: JPEG files as two pinned test dependencies ship them."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

__all__ = ["PHOTOS", "digest", "photo_path"]

PHOTOS: Final = {
    "rocket": ("skimage", "data/rocket.jpg"),
    "china": ("sklearn", "datasets/images/china.jpg"),
    "flower": ("sklearn", "datasets/images/flower.jpg"),
}
"""Package and file; all three are 640 x 427, baseline, 4:4:4."""


def photo_path(name: str) -> Path:
    """Where the package keeps a photo; the package is found, not imported.

    Raises:
        FileNotFoundError: It is not installed, or ships the photo no longer.
    """
    package, inside = PHOTOS[name]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{package} is not installed")
    path = Path(spec.origin).parent / inside
    if not path.is_file():
        raise FileNotFoundError(f"{package} no longer ships {inside}")
    return path


def digest(path: Path) -> str:
    """SHA-256 of a file, 16 hexadecimal digits of it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
