"""The extension module: JPEG bytes, or pixels, to one normalised row, with the GIL released.

Built from ``cpp/python``. Only :mod:`photic.preprocess` imports it.
"""

from collections.abc import Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

class NativeError(Exception):
    """An image was refused: ``args == (code, detail)``, code a key of ``errors.IMAGE_STATUS``.

    Or ``no_room``, when a decode that does not wait would have to wait for memory.
    """

@final
class Limits:
    """The limits of one decode (``settings.DecodeSettings`` in the core's units: ns and bytes)."""

    def __init__(
        self,
        *,
        max_pixels: int,
        max_side: int,
        max_scans: int,
        max_scan_pixels: int,
        time_base_ns: int,
        time_per_megabyte_ns: int,
        time_per_megapixel_ns: int,
        max_time_ns: int,
        max_memory_bytes: int,
        max_total_memory_bytes: int,
        reject_truncated: bool,
    ) -> None: ...

@final
class Plan:
    """What to make of an image: ``models.recipe.InputRecipe`` in the core's terms.

    ``scale`` and ``shift`` give each output channel, in the model's channel order, as
    ``level * scale + shift`` with levels from 0 to 255. ``crop_decode=False`` decodes all rows and
    columns up to the last row needed, for tests: the result must be the same.

    Raises:
        ValueError: The combination makes no sense; the message says why.
    """

    def __init__(
        self,
        *,
        height: int,
        width: int,
        fit: Literal["crop", "stretch", "letterbox"],
        resize: int,
        crop_fraction: float,
        pad: int,
        filter: Literal["bilinear", "bicubic"],
        scale: Sequence[float],
        shift: Sequence[float],
        bgr: bool,
        nhwc: bool,
        dtype: Literal["float32", "uint8"],
        apply_orientation: bool,
        decode: Literal["exact", "balanced", "fast"],
        crop_decode: bool = True,
    ) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of one row: (3, H, W) or (H, W, 3)."""

@final
class ImageInfo:
    """What the header said, and what was made of it."""

    @property
    def width(self) -> int:
        """Declared width in pixels, before orientation."""
    @property
    def height(self) -> int:
        """Declared height in pixels, before orientation."""
    @property
    def components(self) -> int: ...
    @property
    def orientation(self) -> int:
        """EXIF orientation that was applied, 1 to 8."""
    @property
    def scale_denominator(self) -> int:
        """1, 2, 4 or 8: the decoder's output was 1/this of the file's size."""
    @property
    def progressive(self) -> bool: ...

@final
class Decoder:
    """One libjpeg decompressor and its scratch memory. For one thread at a time; reuse it."""

    def __init__(self, plan: Plan, limits: Limits) -> None: ...
    def decode_into(self, data: Buffer, out: NDArray[Any], wait: bool = True) -> ImageInfo:
        """JPEG bytes to one normalised row in ``out``.

        Args:
            data: Contiguous bytes of a JPEG; kept alive, never copied.
            out: C-contiguous, writeable, aligned, of exactly ``plan.shape`` and the plan's dtype.
            wait: Whether to wait, for at most the time that the decode may take, while all decoders
                of the process together hold too much memory for this one; else fail.

        Raises:
            NativeError: The image was refused.
            TypeError, ValueError: An argument has the wrong type, shape, layout or alignment.
            RuntimeError: Another thread is using this decoder.
        """
    @property
    def wanted_bytes(self) -> int:
        """The memory that the last ``decode_into`` asked for, for ``memory_has_room``."""
    def resample_into(
        self, pixels: NDArray[np.uint8], out: NDArray[Any], orientation: int = 1
    ) -> ImageInfo:
        """Decoded pixels, [height, width, 3] uint8 RGB, to one normalised row in ``out``.

        Raises:
            NativeError, TypeError, ValueError, RuntimeError: As ``decode_into``.
        """

def native_info() -> dict[str, Any]:
    """``{"libjpeg_turbo": "2.1.5", "targets": ["avx2", "baseline"], "target": "avx2"}``.

    ``targets`` are those that this CPU runs, best first, of "avx512", "avx2" and "baseline".
    """

def memory_has_room(bytes: int, limit: int) -> bool:
    """Whether one more decoder of ``bytes`` may begin now, if all together may hold ``limit``."""

def force_target(name: str | None) -> None:
    """Make all decoders of the process use one dispatch target; None restores the choice by CPU.

    Raises:
        ValueError: There is no such target on this CPU.
    """

def use_huffman_fast_path(use: bool) -> None:
    """Whether decoders of the process decode usual files with the core's own Huffman decoder.

    They do, where the libjpeg-turbo is one that it knows. The results are the same without.
    """
