"""A JPEG's bytes to the model's row, on one thread: Photic and each way to write it by hand."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import simplejpeg

from bench.harness.mixes import Mix
from bench.harness.results import PreprocessRun
from bench.peers.rows import all_rows
from photic.models.repository import embedded_repository
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

__all__ = ["preprocess_runs"]

Prepare = Callable[[bytes], object]


def preprocess_runs(mixes: list[Mix], rounds: int) -> Iterator[PreprocessRun]:
    """CPU time of one photo, all ways in turn, so many rounds of each mix."""
    ways: dict[str, Prepare] = {
        "photic": _photic(),
        "decode_alone": simplejpeg.decode_jpeg,
        **all_rows(),
    }
    for mix in mixes:
        for photo in mix.photos[:2]:
            for way in ways.values():
                way(photo)
        for number in range(rounds):
            for name, way in ways.items():
                yield PreprocessRun(name, mix.name, number, _cpu_ns(way, mix))


def _photic() -> Prepare:
    """With the recipe and the settings that the server has by default."""
    recipe = embedded_repository().bundle("efficientnet-lite0").recipe.input
    preprocessor = Preprocessor(recipe, DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    return lambda photo: preprocessor.into(photo, row)


def _cpu_ns(way: Prepare, mix: Mix) -> int:
    start = time.thread_time_ns()
    for photo in mix.photos:
        way(photo)
    return (time.thread_time_ns() - start) // len(mix.photos)
