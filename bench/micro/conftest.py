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


@pytest.fixture
def say(capsys, request):
    """Prints a line of figures to the terminal."""
    with capsys.disabled():
        print(f"\n{request.node.name}")

    def one(name, figures):
        with capsys.disabled():
            print(f"  {name:14}" + "".join(f"{figure:9.2f}" for figure in figures))

    return one
