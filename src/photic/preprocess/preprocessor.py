"""From the bytes or pixels of an image to one row of a model's input."""

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from photic.errors import DecodeDeferred, ImageError
from photic.models.recipe import InputRecipe
from photic.preprocess._native import (
    Decoder,
    ImageInfo,
    Limits,
    NativeError,
    Plan,
    memory_has_room,
)
from photic.preprocess.other_formats import decode_other
from photic.preprocess.signature import identify, refuse
from photic.settings import DecodeSettings

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Preprocessor"]

_NS_PER_MS: Final = 1_000_000
_WHITE: Final = 255.0
_NO_ROOM: Final = "no_room"


class Preprocessor:
    """Makes rows after one recipe. Thread-safe: each thread gets a native decoder of its own.

    The value of a pixel with level 0 to 255 is ``(level / 255 * pixel_range - mean) / std``, where
    ``mean`` and ``std`` are in the order of the recipe's ``channels``: the first of them belongs to
    the first channel of the row. A ``uint8`` row holds the levels themselves, rounded.

    Attributes:
        shape: (3, H, W) or (H, W, 3), after the recipe's layout.
        dtype: float32 or uint8.
    """

    def __init__(
        self,
        recipe: InputRecipe,
        limits: DecodeSettings,
        *,
        dtype: Literal["float32", "uint8"] = "float32",
    ) -> None:
        self._plan = _plan(recipe, dtype)
        self._limits = limits
        self._native_limits = _limits(limits)
        self._local = threading.local()
        self.shape = self._plan.shape
        self.dtype: np.dtype[Any] = np.dtype(dtype)

    def into(self, image: "Buffer", out: NDArray[Any], *, wait: bool = True) -> ImageInfo:
        """Decode an image of any enabled format, told by its own bytes, into ``out``.

        Args:
            image: A whole file: contiguous bytes, which are not copied.
            out: C-contiguous, writeable, aligned, of ``shape`` and ``dtype``. Undefined after an
                error.
            wait: Whether to wait while the images that others decode leave no room for this one.

        Returns:
            What the header said, and what was made of it.

        Raises:
            ImageError: The bytes are not an image that can be used; its code and detail say why.
            DecodeDeferred: There is no room, and ``wait`` is false.
        """
        kind = identify(image)
        if kind == "jpeg":
            return self._jpeg_into(image, out, wait=wait)
        if kind not in self._limits.formats:
            raise refuse(kind, image, self._limits.formats)
        pixels, orientation = decode_other(image, kind, self._limits, wait=wait)
        return self._resample(pixels, out, orientation)

    def pixels_into(self, pixels: NDArray[np.uint8], out: NDArray[Any]) -> ImageInfo:
        """Resample decoded pixels, [H, W, 3] RGB, into ``out``.

        Raises:
            TypeError, ValueError: ``pixels`` or ``out`` has a wrong shape, dtype or layout.
        """
        return self._resample(np.ascontiguousarray(pixels), out, orientation=1)

    def _jpeg_into(self, image: "Buffer", out: NDArray[Any], *, wait: bool) -> ImageInfo:
        decoder = self._decoder()
        try:
            return decoder.decode_into(image, out, wait)
        except NativeError as error:
            if error.args[0] != _NO_ROOM:
                raise _image_error(error) from None
            total = self._limits.max_total_memory_bytes
            has_room = partial(memory_has_room, decoder.wanted_bytes, total)
            raise DecodeDeferred("decoder_memory", has_room=has_room) from None

    def _resample(
        self, pixels: NDArray[np.uint8], out: NDArray[Any], orientation: int
    ) -> ImageInfo:
        try:
            return self._decoder().resample_into(pixels, out, orientation)
        except NativeError as error:
            raise _image_error(error) from None

    def _decoder(self) -> Decoder:
        decoder: Decoder | None = getattr(self._local, "decoder", None)
        if decoder is None:
            decoder = self._local.decoder = Decoder(self._plan, self._native_limits)
        return decoder


def _image_error(error: NativeError) -> ImageError:
    code, detail = error.args
    return ImageError(detail, code=code)


def _plan(recipe: InputRecipe, dtype: Literal["float32", "uint8"]) -> Plan:
    height, width = recipe.size
    return Plan(
        height=height,
        width=width,
        fit=recipe.fit,
        resize=recipe.resize or 0,
        crop_fraction=recipe.crop_fraction or 0.0,
        pad=recipe.pad,
        filter=recipe.filter,
        scale=[recipe.pixel_range / _WHITE / std for std in recipe.std],
        shift=[-mean / std for mean, std in zip(recipe.mean, recipe.std, strict=True)],
        bgr=recipe.channels == "BGR",
        nhwc=recipe.layout == "NHWC",
        dtype=dtype,
        apply_orientation=recipe.orientation == "exif",
        decode=recipe.decode,
    )


def _limits(settings: DecodeSettings) -> Limits:
    return Limits(
        max_pixels=settings.max_pixels,
        max_side=settings.max_side,
        max_scans=settings.max_scans,
        max_scan_pixels=settings.max_scan_pixels,
        time_base_ns=settings.time_base_ms * _NS_PER_MS,
        time_per_megabyte_ns=settings.time_per_megabyte_ms * _NS_PER_MS,
        time_per_megapixel_ns=settings.time_per_megapixel_ms * _NS_PER_MS,
        max_time_ns=settings.max_time_ms * _NS_PER_MS,
        max_memory_bytes=settings.max_memory_bytes,
        max_total_memory_bytes=settings.max_total_memory_bytes,
        reject_truncated=settings.truncated == "reject",
    )
