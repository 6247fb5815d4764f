"""With one CPU nothing oversubscribes: every thread of a real server is counted, by name."""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from cpu_cgroup import cpu_cgroup
from running_server import RunningServer
from thread_watch import ThreadWatch, thread_names, watched

CPUS = sorted(os.sched_getaffinity(0))
ONE_CPU = Counter({"photic": 1, "photic-work-0": 1, "photic-http": 3})
"""Event loop; one worker; Granian's: one for sockets, one that calls Python, one that sleeps."""
BUSY = Counter({"photic": 1, "photic-work-0": 1, "photic-http": 2})
CLIENTS, REQUESTS = 8, 96

two_cpus = pytest.mark.skipif(len(CPUS) < 2, reason="needs two CPUs")


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries hear only what Photic tells them."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ORT_DISABLE_TELEMETRY", "CI"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def one_cpu(how: str) -> Iterator[RunningServer]:
    """A server that has one CPU for one of the reasons there are."""
    if how == "--cpus 1":
        with RunningServer("--cpus", "1") as server:
            yield server
    elif how == "taskset":
        with RunningServer(prefix=("taskset", "-c", str(CPUS[-1]))) as server:
            yield server
    else:
        version, cpus = how.removeprefix("cgroup v").split(" ")
        with (
            cpu_cgroup(int(version), float(cpus)) as prefix,
            RunningServer(prefix=prefix) as server,
        ):
            yield server


def threads(server: RunningServer) -> Counter[str]:
    """Its threads by name, once it answers: Granian starts its own after the listener."""
    assert httpx.get(f"{server.url}/health/ready").is_success
    return thread_names(server.process.pid)


def ask(server: RunningServer, photo: bytes) -> None:
    """Many requests, some at a time; all must be answered."""

    def client(_: int) -> list[int]:
        with httpx.Client(base_url=server.url, timeout=60) as http:
            answers = (http.post("/v1/predict", content=photo) for _ in range(REQUESTS // CLIENTS))
            return [answer.status_code for answer in answers]

    with ThreadPoolExecutor(CLIENTS) as pool:
        statuses = [status for one in pool.map(client, range(CLIENTS)) for status in one]
    assert statuses == [200] * REQUESTS


def in_words(watch: ThreadWatch) -> str:
    each_ms = {name: round(ns / REQUESTS / 1e6, 2) for name, ns in sorted(watch.cpu_ns.items())}
    return f"at most {watch.most_runnable} threads runnable; CPU-ms a request {each_ms}"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("--cpus 1", "1 worker with 1 ONNX Runtime thread each: cpu.cpus = 1; "),
        ("taskset", "1 worker with 1 ONNX Runtime thread each: 1 CPU in the affinity mask"),
        ("cgroup v1 1.0", "a cgroup quota of 1 CPU\n"),
        ("cgroup v2 1.0", "a cgroup quota of 1 CPU\n"),
        ("cgroup v1 1.25", "a cgroup quota of 1.25 CPUs\n"),
    ],
)
def test_one_cpu_gets_one_worker_and_no_pools(how, says, jpegs, measured):
    with one_cpu(how) as server:
        assert says in server.log
        assert threads(server) == ONE_CPU
        with watched(server.process.pid) as watch:
            ask(server, jpegs["chelsea"])
        assert watch.names == ONE_CPU  # none came, none went
        assert watch.busy <= BUSY
        assert watch.most_runnable <= BUSY.total()
        assert server.stop() == 0
    assert watch.cpu_ns["photic-work-0"] > 0.7 * watch.cpu_ns.total()
    measured(f"{how}: {in_words(watch)}")


@two_cpus
@pytest.mark.parametrize(("latency_threads", "pool"), [(0, 1), (1, 0)])
def test_two_cpus_get_two_workers_and_a_pool_for_lone_requests(
    latency_threads, pool, jpegs, measured
):
    wanted = {"photic": 1, "photic-work-0": 1, "photic-work-1": 1, "photic-http": 3}
    setting = f"inference.latency_threads={latency_threads}"
    with RunningServer("--cpus", "2", "--set", setting) as server:
        with watched(server.process.pid) as watch:
            ask(server, jpegs["chelsea"])
        assert watch.names == Counter(wanted) + Counter({"photic-ort": pool})
        assert server.stop() == 0
    measured(f"--cpus 2, {setting}: {in_words(watch)}")


@two_cpus
def test_the_pool_of_openblas_would_have_been_counted(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")  # the user's word counts
    with RunningServer("--cpus", "1") as server:
        assert threads(server) == ONE_CPU + Counter({"photic": 1})
        assert server.stop() == 0


def test_more_than_there_is_gets_a_warning():
    with RunningServer("--cpus", str(len(CPUS) + 1)) as server:
        assert f"WARNING photic.app: cpu.cpus = {len(CPUS) + 1} is more than there is" in server.log
        assert server.stop() == 0
