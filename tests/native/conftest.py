"""The native module itself, below the Preprocessor."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from oracle.photos import jpeg, photo, resized
from photic.preprocess._native import Decoder, Limits, Plan

SECOND_NS = 1_000_000_000

PLAN = {
    "height": 224,
    "width": 224,
    "fit": "crop",
    "resize": 256,
    "crop_fraction": 0.0,
    "pad": 0,
    "filter": "bicubic",
    "scale": [1.0, 1.0, 1.0],
    "shift": [0.0, 0.0, 0.0],
    "bgr": False,
    "nhwc": False,
    "dtype": "float32",
    "apply_orientation": True,
    "decode": "balanced",
}
LIMITS = {
    "max_pixels": 50_000_000,
    "max_side": 65_500,
    "max_scans": 100,
    "max_scan_pixels": 500_000_000,
    "time_base_ns": 60 * SECOND_NS,
    "time_per_megabyte_ns": 0,
    "time_per_megapixel_ns": 0,
    "max_time_ns": 60 * SECOND_NS,
    "max_memory_bytes": 300_000_000,
    "max_total_memory_bytes": 600_000_000,
    "reject_truncated": True,
}

Make = Callable[..., Decoder]
Run = Callable[..., NDArray[Any]]


@pytest.fixture
def make_decoder() -> Make:
    """A decoder whose plan and limits differ from the usual ones by the keywords given."""

    def make(**changes: Any) -> Decoder:
        assert changes.keys() <= PLAN.keys() | LIMITS.keys() | {"crop_decode"}
        limits = {key: changes.pop(key) for key in list(changes) if key in LIMITS}
        return Decoder(Plan(**{**PLAN, **changes}), Limits(**{**LIMITS, **limits}))

    return make


@pytest.fixture
def decode(make_decoder: Make) -> Run:
    """Bytes to a row by a new decoder."""

    def run(data: Any, **changes: Any) -> NDArray[Any]:
        plan = {**PLAN, **changes}
        size = (plan["height"], plan["width"])
        shape = (*size, 3) if plan["nhwc"] else (3, *size)
        out = np.full(shape, 77, plan["dtype"])
        make_decoder(**changes).decode_into(data, out)
        return out

    return run


@pytest.fixture
def row() -> NDArray[np.float32]:
    """Memory for a row of the usual plan."""
    return np.empty((3, 224, 224), np.float32)


@pytest.fixture(scope="session")
def large_jpeg() -> bytes:
    """12 megapixels: some tens of milliseconds of work."""
    return jpeg(resized(photo("coffee"), 4000, 3000))
