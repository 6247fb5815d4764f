"""What a caller of the Python API may mean by an image; checked before anything is done with it."""

from os import PathLike
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from photic.errors import BadRequest
from photic.serving.image_file import read_image_file

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Loaded = Buffer | NDArray[np.uint8]
    Image = Loaded | str | PathLike[str]

__all__ = ["load_image"]

_RANK: Final = 3
_CHANNELS: Final = 3
_MAX_SIDE: Final = 65_535  # as in the native core (cpp/python/buffer_args.cc)


def load_image(image: "Image", limit: int) -> "Loaded":
    """A file's bytes or pixels, which are not copied.

    Args:
        image: A file's bytes, a file's path, or pixels, [height, width, 3] uint8 RGB.
        limit: Bytes of a file that is read: ``body.max_bytes``.

    Raises:
        BadRequest: It is none of these, or the file cannot be read (code ``unreadable_file``).
        BodyTooLarge: The file has more than ``limit`` bytes.
    """
    if isinstance(image, str | PathLike):
        return read_image_file(image, limit)
    if isinstance(image, np.ndarray):
        _check_pixels(image)
    else:
        _check_bytes(image)
    return image


def _check_pixels(pixels: NDArray[np.uint8]) -> None:
    if pixels.dtype != np.uint8 or pixels.ndim != _RANK or pixels.shape[2] != _CHANNELS:
        raise BadRequest(
            f"pixels are [height, width, 3] uint8, not {list(pixels.shape)} {pixels.dtype}"
        )
    if not all(1 <= side <= _MAX_SIDE for side in pixels.shape[:2]):
        raise BadRequest(
            f"pixels are [height, width, 3], each side from 1 to {_MAX_SIDE}, "
            f"not {list(pixels.shape)}"
        )


def _check_bytes(data: "Buffer") -> None:
    kind = type(data).__name__
    try:
        contiguous = memoryview(data).c_contiguous
    except TypeError:
        raise BadRequest(f"an image is bytes, a path or an array of pixels, not {kind}") from None
    except ValueError as error:  # a memoryview that was released
        raise BadRequest(f"the bytes of this {kind} cannot be read: {error}") from None
    if not contiguous:
        raise BadRequest(f"the bytes of this {kind} are not contiguous; pass bytes({kind})")
