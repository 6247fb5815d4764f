import math
from itertools import pairwise

import pytest

pytest.importorskip("mlperf_loadgen", reason="pip install -e '.[bench]'")

from bench.load import arrivals as poisson
from bench.load.arrivals import Arrivals, schedule_ns

RATE = 800.0
"""High, so that a short test sees many gaps."""


def record(arrivals: Arrivals) -> tuple[list[int], list[int], list[str]]:
    """The schedule, the photos, and in which order the callbacks came."""
    photos: list[int] = []
    calls: list[str] = []

    def issue(photo: int) -> None:
        photos.append(photo)
        calls.append("issue")

    return poisson.run(arrivals, issue, lambda: calls.append("finish")), photos, calls


def distance_from_exponential(gaps: list[float], rate: float) -> float:
    """Kolmogorov and Smirnov's: the largest difference between the two distribution functions."""
    ordered, n = sorted(gaps), len(gaps)
    expected = [1 - math.exp(-rate * gap) for gap in ordered]
    return max(max((i + 1) / n - f, f - i / n) for i, f in enumerate(expected))


def test_arrivals_are_a_poisson_process() -> None:
    scheduled, photos, calls = record(Arrivals(RATE, 2.0, seed=5, photos=7))
    gaps = [(b - a) / 1e9 for a, b in pairwise(scheduled)]
    assert len(scheduled) == len(photos)
    assert abs(len(gaps) - 2.0 * RATE) < 5 * math.sqrt(2.0 * RATE)
    # Past 1.63 / sqrt(n) with probability 1 %; regular arrivals are at 0.63. The seed is fixed.
    assert distance_from_exponential(gaps, RATE) < 1.63 / math.sqrt(len(gaps))
    assert set(photos) == set(range(7))
    assert calls == ["issue"] * len(photos) + ["finish"]


def test_a_seed_gives_the_same_arrivals_again_and_another_one_does_not() -> None:
    first, again, other = (record(Arrivals(RATE, 0.25, seed, 7)) for seed in (1, 1, 2))
    relative = [at - first[0][0] for at in first[0]]
    # each first instant is known to the microseconds by which the clocks are aligned
    assert [at - again[0][0] for at in again[0]] == pytest.approx(relative, abs=2_000)
    assert again[1] == first[1]
    assert other[1] != first[1]


def test_the_schedule_moves_to_the_clock_of_the_quickest_entry() -> None:
    line = (
        '{{"name":"Sample","cat":"default","ph":"b","pid":1,"id":{0},"ts":{1},'
        '"args":{{"sample_seq":{0},"query_seq":{0},"sample_idx":0,"issue_start_ns":{2}}}}},'
    )
    trace = "\n".join(
        [
            "[{",
            line.format(1, "20.000", 500),
            '{"name":"Sample","cat":"default","ph":"e", "pid":1,"id":1,"ts":30.000},',
            line.format(0, "10.500", 100),
            "}",
        ]
    )
    # entries 1,000,700 and 1,000,300 ns after LoadGen's clock said 10,600 and 20,500
    assert schedule_ns(trace, [1_011_300, 1_020_800]) == [1_010_800, 1_020_300]
