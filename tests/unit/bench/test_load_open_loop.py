"""One small trial beside a real ``photic serve``."""

import io

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("mlperf_loadgen", reason="pip install -e '.[bench]'")

from bench.harness.mixes import Mix
from bench.harness.server import RunningPeer
from bench.load.open_loop import Offer, open_loop
from bench.peers.registry import SERVERS


def jpeg(seed: int) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG")
    return file.getvalue()


def test_a_trial_beside_photic() -> None:
    mix = Mix("noise", (jpeg(0), jpeg(1)))
    with RunningPeer(SERVERS["photic"], mix.photos[0]) as peer:
        # deadline and rate leave a busy machine much room: every request must be answered
        run = open_loop(peer, mix, Offer(rate=20.0, seconds=1.0, deadline_ms=20_000, seed=4))
        too_late = open_loop(peer, mix, Offer(rate=20.0, seconds=0.5, deadline_ms=1, seed=4))
    assert run.issued == run.good_in_deadline > 5
    assert (run.late, run.errors) == (0, {})
    assert sum(int(size) * runs for size, runs in run.batch_sizes.items()) == run.issued
    assert run.alone <= run.batch_sizes["1"]
    assert 0 < run.latency_ns.p50 <= run.latency_ns.p90 <= run.latency_ns.p99
    assert run.goodput == run.good_in_deadline / 1.0
    assert run.late_issue_ns.p50 > 0
    assert run.cpu_ns_per_good > 0
    assert run.generator_cpu_ns > 0
    assert run.generator_priority in {"rr", "nice -10", "normal"}
    assert 1 <= run.connections <= run.issued
    assert too_late.good_in_deadline == 0
    assert too_late.late + sum(too_late.errors.values()) > 0
