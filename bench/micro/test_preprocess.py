"""From a JPEG's bytes to a normalised row, one thread: Photic and what people write instead.

``resample`` begins with pixels that are decoded already, at full size: the whole pass without
libjpeg (of large photos the server decodes fewer pixels, so it has less to resample).
"""

import time

import msgspec
import numpy as np
import pytest
import simplejpeg

from bench.peers.rows import all_rows
from oracle.recipes import LITE0
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

RIVALS = all_rows()
FEW = 10
"""Photos whose pixels are held at once: 40 MB each at 13 megapixels."""

in_cpu_time = pytest.mark.benchmark(group="preprocess", timer=time.process_time)
"""All of them run on one thread; CPU time is what neighbours on the machine disturb least."""


@in_cpu_time
@pytest.mark.parametrize("decode", ["exact", "balanced", "fast"])
def test_photic(timed, decode):
    preprocessor = Preprocessor(msgspec.structs.replace(LITE0, decode=decode), DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    timed(lambda data: preprocessor.into(data, row))


@in_cpu_time
def test_resample(photos, timed):
    preprocessor = Preprocessor(LITE0, DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    pixels = {data: simplejpeg.decode_jpeg(data) for data in photos[:FEW]}
    timed(lambda data: preprocessor.pixels_into(pixels[data], row), photos[:FEW])


@in_cpu_time
@pytest.mark.parametrize("rival", RIVALS)
def test_rival(timed, rival):
    timed(RIVALS[rival])


@in_cpu_time
def test_decode_alone(timed):
    """What TurboJPEG needs for the pixels only, whole and at full size."""
    timed(simplejpeg.decode_jpeg)
