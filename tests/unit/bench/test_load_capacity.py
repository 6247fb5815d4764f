from collections.abc import Callable

import msgspec
import pytest

from bench.harness.results import Latency, OpenLoopRun
from bench.load.capacity import Search, highest_rate


def carries_up_to(limit: float, asked: list[float]) -> Callable[[float], bool]:
    def carries(rate: float) -> bool:
        asked.append(rate)
        return rate <= limit

    return carries


@pytest.mark.parametrize("start", [20.0, 95.0, 100.0, 130.0, 900.0])
def test_the_limit_is_found_from_either_side(start: float) -> None:
    asked: list[float] = []
    r = highest_rate(carries_up_to(100.0, asked), start, tolerance=0.04)
    assert 100 / 1.04 <= r <= 100
    assert r in asked


def test_a_good_guess_takes_few_trials() -> None:
    asked: list[float] = []
    highest_rate(carries_up_to(100.0, asked), 90.0)
    assert len(asked) <= 5


def test_a_server_that_carries_nothing_has_no_rate() -> None:
    asked: list[float] = []
    assert highest_rate(carries_up_to(0.0, asked), 100.0) == 0.0
    assert asked == sorted(asked, reverse=True)


def test_the_search_ends_above_every_rate_that_was_tried() -> None:
    assert highest_rate(lambda _: True, 10.0) > 50


def run_of(rate: float, issued: int, good: int) -> OpenLoopRun:
    none = Latency(0, 0, 0)
    return OpenLoopRun(
        server="fake",
        mix="none",
        rate=rate,
        fraction_of_r=0,
        reference="",
        seconds=1,
        issued=issued,
        good_in_deadline=good,
        late=issued - good,
        errors={},
        latency_ns=none,
        goodput=good,
        late_issue_ns=none,
        valid=True,
        batch_sizes={},
        generator_cpu_ns=0,
        cpu_ns_per_good=0,
    )


def test_a_failed_trial_is_repeated_once_with_other_arrivals() -> None:
    attempts: list[int] = []

    def trial(rate: float, attempt: int) -> OpenLoopRun:
        attempts.append(attempt)
        return run_of(rate, 1_000, 989 if attempt == 1 else 990)

    search = Search(trial)
    assert search.carries(50.0)
    assert attempts == [1, 2]
    assert [msgspec.structs.astuple(t) for t in search.trials] == [
        (50.0, 1_000, 989),
        (50.0, 1_000, 990),
    ]


def test_two_failures_are_a_verdict() -> None:
    assert not Search(lambda rate, _: run_of(rate, 1_000, 989)).carries(50.0)


def test_a_trial_without_requests_proves_nothing() -> None:
    assert not Search(lambda rate, _: run_of(rate, 0, 0)).carries(0.01)
