"""The CPU time of others for the same rows as a multiple of Photic's, in turns in one run.

Ratios of one minute are worth more than times of two. The bars are those of issue 3.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import simplejpeg

from bench.peers.rows import all_rows
from oracle.recipes import LITE0
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

ROUNDS = 7

BARS = {
    "labelled": {
        "decode_alone": 1 / 1.15,
        "pillow": 3.3,
        "opencv": 2.3,
        "simplejpeg_opencv": 2.3,
    },
    "camera": {"pillow": 4.5, "simplejpeg_smallest": 1 / 1.1, "pillow_draft": 1 / 1.1},
}
"""By the name of the photos' folder: the least ratio."""


def contenders() -> dict[str, Callable[[bytes], object]]:
    preprocessor = Preprocessor(LITE0, DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    return {
        "photic": lambda data: preprocessor.into(data, row),
        "decode_alone": simplejpeg.decode_jpeg,
        **all_rows(),
    }


def cpu_ms(function: Callable[[bytes], object], photos: list[bytes]) -> float:
    start = time.thread_time_ns()
    for data in photos:
        function(data)
    return (time.thread_time_ns() - start) / 1e6 / len(photos)


def test_ratios(photos, capsys, request):
    if not request.config.getoption("--benchmark-enable"):
        pytest.skip("measures only with --benchmark-enable")
    functions = contenders()
    rounds = [{name: cpu_ms(f, photos) for name, f in functions.items()} for _ in range(ROUNDS)]
    bars = BARS.get(Path(os.environ.get("PHOTOS", "")).name, {})
    with capsys.disabled():
        print(f"\n{len(photos)} photos, {ROUNDS} rounds: CPU-ms a photo, ratio to Photic, bar")
        for name in functions:
            took = median(each[name] for each in rounds)
            ratio = median(each[name] / each["photic"] for each in rounds)
            bar = f"  >= {bars[name]:.2f}" if name in bars else ""
            print(f"  {name:20} {took:8.2f} {ratio:6.2f} x{bar}")
