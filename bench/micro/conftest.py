"""The photos of the microbenchmarks: of the test packages, or of the folder that PHOTOS names."""

import os
from pathlib import Path

import pytest

from bench.harness.mixes import folder_mix
from oracle.photos import jpeg, photo, photo_names


@pytest.fixture(scope="session")
def photos() -> list[bytes]:
    """JPEG files."""
    if folder := os.environ.get("PHOTOS"):
        return list(folder_mix(Path(folder)).photos)
    return [jpeg(photo(name), quality=90) for name in photo_names()]


@pytest.fixture
def timed(benchmark, photos):
    """Benchmarks a function of one photo: a round is all photos, milliseconds are of one."""

    def run(function, photos=photos):
        def one_round():
            for data in photos:
                function(data)

        benchmark.extra_info["photos"] = len(photos)
        benchmark.pedantic(one_round, rounds=10, warmup_rounds=1)
        if benchmark.stats:
            benchmark.extra_info["ms_per_photo"] = 1e3 * benchmark.stats.stats.median / len(photos)

    return run
