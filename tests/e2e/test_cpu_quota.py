"""Why workers are the CPUs rounded: one or two of them under quotas between 1 and 2 CPUs."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from cpu_cgroup import cpu_cgroup
from running_server import RunningServer

CLIENTS, REQUESTS, ROUNDS = 8, 200, 3


def requests_per_s(quota: float, workers: int, photo: bytes) -> float:
    """What a server under a quota answers to clients that ask again at once."""
    alone = ("--set", "inference.latency_threads=1")
    with (
        cpu_cgroup(1, quota) as prefix,
        RunningServer("--cpus", str(workers), *alone, prefix=prefix) as server,
        ThreadPoolExecutor(CLIENTS) as pool,
        httpx.Client(base_url=server.url, timeout=60) as http,
    ):

        def ask(_: int) -> int:
            return http.post("/v1/predict", content=photo).status_code

        assert set(pool.map(ask, range(CLIENTS))) == {200}
        begin_s = time.monotonic()
        assert set(pool.map(ask, range(REQUESTS))) == {200}
        took_s = time.monotonic() - begin_s
        assert server.stop() == 0
    return REQUESTS / took_s


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("quota", "two_win"), [(1.0, False), (1.25, None), (1.5, True)])
def test_rounding_uses_the_quota(quota, two_win, jpegs, measured):
    rounds = [
        [requests_per_s(quota, workers, jpegs["chelsea"]) for workers in (1, 2)]
        for _ in range(ROUNDS)
    ]
    one, two = (statistics.median(column) for column in zip(*rounds, strict=True))
    measured(f"quota of {quota} CPUs: 1 worker {one:.0f} requests/s, 2 workers {two:.0f}")
    if two_win is not None:
        assert (two > 1.1 * one) == two_win
