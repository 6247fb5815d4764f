"""The bars, on figures whose ratios are known: each round's noise is common to its servers."""

import msgspec
import pytest

from bench.harness.results import MemoryRun
from bench.report.bar import Bar
from bench.report.bars import bars
from bench.report.bars_table import bars_section
from bench.report.measured import Measured, by_round, measured, ratio
from bench_results import MIXES, SERVERS, closed, hand_made


def bar_of(results, words):
    """The one bar whose figure has all these words."""
    (found,) = (bar for bar in bars(results) if all(word in bar.figure for word in words))
    return found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("CPU-ms", "labelled", "tuned Pillow"), 1 / 1.25),
        (("CPU-ms", "labelled", "ORT alone"), 10 / 8),
        (("CPU-ms", "cc0", "simplejpeg"), 1 / 1.25),
        (("CPU-ms", "camera", "tuned Pillow"), 1 / 1.25),
        (("requests/s", "camera"), 2.0),
        (("p50", "1 client", "labelled"), 1 / 1.25),
        (("p99", "8 clients", "naive"), 0.5),
        (("preprocessing time", "decode alone"), 2.0 / 1.6),
        (("preprocessing", "labelled", "as fast as Pillow"), 3.5),
        (("cold start",), 0.9),
    ],
)
def test_a_figure_is_the_ratio_that_was_put_in(words, expected):
    assert bar_of(hand_made(), words).measured.median == pytest.approx(expected, rel=1e-3)


def test_the_open_loop_is_read_at_70_per_cent_of_the_naive_servers_r():
    results = hand_made()
    at = {
        run.server: run.latency_ns.p99
        for run in results.open
        if run.rate == pytest.approx(0.7 * 60)
    }
    found = bar_of(results, ("open loop",)).measured
    assert found.median == pytest.approx(at["photic"] / at["naive"])


def test_an_invalid_trial_is_no_figure():
    results = hand_made()
    results.open = [msgspec.structs.replace(run, valid=False) for run in results.open]
    assert bar_of(results, ("open loop",)).verdict == "not measured"


def test_noise_common_to_a_round_leaves_the_ratio_alone():
    found = bar_of(hand_made(), ("CPU-ms", "labelled", "tuned Pillow")).measured
    assert found.n == 5
    assert found.high - found.low < 1e-3


def test_other_models_beside_eager_torch():
    results = hand_made()
    results.torch = [
        msgspec.structs.replace(closed("photic", "labelled", 1, round_number), server=server)
        for round_number in range(3)
        for server in ("photic-mobilenetv2", "photic-resnet50")
    ] + [
        msgspec.structs.replace(closed(server, "labelled", 1, round_number), server=eager)
        for round_number in range(3)
        for server, eager in (("naive", "eager-mobilenetv2"), ("naive", "eager-resnet50"))
    ]
    mobile, resnet = (bar_of(results, (name,)) for name in ("MobileNetV2", "ResNet50"))
    assert mobile.measured.median == pytest.approx(2.0, rel=1e-6)
    assert (mobile.verdict, resnet.verdict) == ("**no**", "yes")


def test_a_short_run_is_no_verdict_on_memory():
    results = hand_made()
    assert bar_of(results, ("memory", "10,000")).verdict == "**no**"
    results.memory = [MemoryRun("photic", 100, 150_000_000)]
    assert bar_of(results, ("memory", "100 requests")).verdict == "too short a run"


def test_default_mixes_stand_for_those_of_their_size():
    results = hand_made()
    sizes = dict(zip(MIXES, ("small", "medium", "large"), strict=True))
    results.closed = [msgspec.structs.replace(run, mix=sizes[run.mix]) for run in results.closed]
    results.settings = msgspec.structs.replace(
        results.settings, mixes=dict.fromkeys(sizes.values(), 3)
    )
    found = bar_of(results, ("CPU-ms", "large", "tuned Pillow")).measured
    assert found.median == pytest.approx(1 / SERVERS["tuned-pillow"])


@pytest.mark.parametrize(
    ("bar", "verdict"),
    [
        (Bar("x", 0.9, 0.8, Measured(0.8, 0.7, 0.9, 5)), "yes, stretch too"),
        (Bar("x", 0.9, 0.8, Measured(0.9, 0.7, 1.0, 5)), "yes"),
        (Bar("x", 0.9, None, Measured(0.1, 0.1, 0.1, 5)), "yes"),
        (Bar("x", 0.9, 0.8, Measured(0.901, 0.7, 1.0, 5)), "**no**"),
        (Bar("x", 2.0, None, Measured(2.0, 1.0, 3.0, 5), at_most=False), "yes"),
        (Bar("x", 2.0, None, Measured(1.9, 1.0, 3.0, 5), at_most=False), "**no**"),
        (Bar("x", 2.0, None, None), "not measured"),
    ],
)
def test_verdicts(bar, verdict):
    assert bar.verdict == verdict


def test_the_table_has_a_row_for_every_bar():
    results = hand_made()
    lines = [line for line in bars_section(results).splitlines() if line.startswith("| ")]
    assert len(lines) == 2 + len(bars(results))
    assert "| CPU-ms an answer, 8 clients, labelled / tuned Pillow | ≤ 0.88 x | 0.8 x |" in lines[2]


def test_rounds_that_only_one_side_has_are_left_out():
    assert ratio({0: 1.0, 1: 2.0}, {1: 4.0, 2: 1.0}) == Measured(0.5, 0.5, 0.5, 1)
    assert ratio({0: 1.0}, {}) is None


def test_median_and_quartiles():
    assert measured([4.0, 1.0, 3.0, 2.0, 100.0]) == Measured(3.0, 2.0, 4.0, 5)
    assert measured([]) is None


def test_a_turn_without_answers_is_no_zero():
    nothing = msgspec.structs.replace(closed("photic", "labelled", 8, 1), cpu_ns_per_good=0)
    runs = [closed("photic", "labelled", 8, 0), nothing]
    assert list(by_round(runs, lambda run: run.cpu_ns_per_good)) == [0]
