"""The photos of the microbenchmarks: of the test packages, or of the folder that PHOTOS names."""

import os
from pathlib import Path

import pytest

from oracle.photos import jpeg, photo, photo_names

MOST = 100
"""Photos taken from a folder, evenly spread; more only make a round longer."""


@pytest.fixture(scope="session")
def photos() -> list[bytes]:
    """JPEG files."""
    if folder := os.environ.get("PHOTOS"):
        paths = sorted(p for p in Path(folder).iterdir() if p.suffix.lower() in {".jpg", ".jpeg"})
        return [path.read_bytes() for path in paths[:: max(1, len(paths) // MOST)]]
    return [jpeg(photo(name), quality=90) for name in photo_names()]


@pytest.fixture
def timed(benchmark, photos):
    """Benchmarks a function of one photo: a round is all photos, milliseconds are of one."""

    def run(function):
        def one_round():
            for data in photos:
                function(data)

        benchmark.extra_info["photos"] = len(photos)
        benchmark.pedantic(one_round, rounds=10, warmup_rounds=1)
        if benchmark.stats:
            benchmark.extra_info["ms_per_photo"] = 1e3 * benchmark.stats.stats.median / len(photos)

    return run
