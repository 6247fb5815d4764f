"""Batchers that are closed after the test."""

from collections.abc import Callable, Iterator

import pytest

from batching_fakes import PATIENCE_S, FakeLane, Running


@pytest.fixture
def run() -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*lanes: FakeLane, workers: int = 1) -> Running:
        started.append(Running(*lanes, workers=workers))
        return started[-1]

    yield start
    for running in started:
        assert running.batcher.close(PATIENCE_S)
