"""One worker or two under CPU quotas between 1 and 2 (docs/adr/0009): prints, judges nothing.

``make bench ARGS="micro -k quota -m slow"``; needs root, and a cgroup hierarchy with the cpu
controller. Poisson arrivals at fractions of what the quota's CPUs would carry if each did what one
worker does under a quota of 1; the two take turns, with the same arrivals.
"""

import statistics
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.harness.closed_loop import closed_loop
from bench.harness.mixes import Mix
from bench.harness.server import RunningPeer
from bench.load.open_loop import Offer, open_loop
from bench.peers.registry import photic
from cpu_cgroup import cpu_cgroup

QUOTAS = (1.0, 1.1, 1.25, 1.5)
WORKERS = (1, 2)
FRACTIONS = (0.6, 0.85, 1.1)
ROUNDS = 3
TRIAL_S = 6.0
GUESS_S = 3.0


@contextmanager
def limited(quota: float, workers: int, photo: bytes) -> Iterator[RunningPeer]:
    """Photic with so many workers under a quota, and no session for lone requests."""
    arguments = ("--cpus", str(workers), "--set", "inference.latency_threads=1")
    with (
        cpu_cgroup(1, quota) as prefix,
        RunningPeer(photic("photic", *arguments), photo, prefix=prefix) as peer,
    ):
        yield peer


@pytest.fixture(scope="module")
def per_cpu(photos: list[bytes]) -> float:
    """Requests a second of one worker under a quota of 1 CPU."""
    with limited(1.0, 1, photos[0]) as peer:
        run = closed_loop(peer, Mix("photos", tuple(photos)), clients=4, seconds=GUESS_S)
        return run.requests_per_s


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("quota", QUOTAS)
def test_workers(quota, per_cpu, photos, capsys):
    mix, found = Mix("photos", tuple(photos)), {}
    for number in range(ROUNDS):
        for workers in WORKERS:
            with limited(quota, workers, photos[0]) as peer:
                for fraction in FRACTIONS:
                    rate = fraction * quota * per_cpu
                    run = open_loop(peer, mix, Offer(rate=rate, seconds=TRIAL_S, seed=number + 1))
                    found.setdefault((fraction, workers), []).append(run)
    with capsys.disabled():
        print(f"\nquota of {quota} CPUs; medians of {ROUNDS}: p99 ms, answered within the deadline")
        for (fraction, workers), runs in sorted(found.items()):
            p99_ms = statistics.median(run.latency_ns.p99 for run in runs) / 1e6
            good = statistics.median(run.good_in_deadline / run.issued for run in runs)
            invalid = sum(not run.valid for run in runs)
            print(
                f"  {fraction:4.0%} of the quota, {runs[0].rate:5.1f}/s, {workers} workers: "
                f"{p99_ms:6.1f} ms {good:7.1%}" + (f", {invalid} invalid" if invalid else "")
            )
