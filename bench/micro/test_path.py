"""What a real server spends on a request, thread by thread, and what threads wait for the GIL.

Servers: Photic with the embedded model, as it is and without a session for lone requests and huge
pages; with a model that does next to nothing, so that caches stay warm; and Granian alone, through
ASGI and through RSGI, its own interface.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any, NamedTuple

import numpy as np
import pytest

from bench.micro import bare_granian, gil_probe
from bench.micro.process_threads import ProcessThreads
from onnx_models import CLASSES, classifier, save
from running_server import RunningServer

REQUESTS = 240
"""In one round, by all clients together."""
ROUNDS = 5
SERVERS = ["embedded", "one session", "nothing", "bare asgi", "bare rsgi"]
ONE_SESSION = "[inference]\nlatency_threads = 1\nhuge_pages = false\n"


class Server(NamedTuple):
    pid: int
    address: tuple[str, int]


def send(address: tuple[str, int], photo: bytes, requests: int) -> None:
    """One client with one connection."""
    connection = HTTPConnection(*address)
    for _ in range(requests):
        connection.request("POST", "/v1/predict", photo)
        with connection.getresponse() as response:
            assert response.status == 200, response.read()
            response.read()
    connection.close()


def send_all(server: Server, photo: bytes, clients: int) -> None:
    """One round."""
    each = REQUESTS // clients
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(send, [server.address] * clients, [photo] * clients, [each] * clients))


@contextmanager
def photic(*arguments: str, **options: Any) -> Iterator[Server]:
    with RunningServer(*arguments, **options) as running:
        yield Server(running.process.pid, running.address)
        running.stop()


@pytest.fixture(scope="module", params=SERVERS)
def server(request, tmp_path_factory):
    name = request.param
    if name.startswith("bare"):
        with bare_granian.running(name.removeprefix("bare ")) as (process, address):
            yield Server(process.pid, address)
        return
    folder, arguments = tmp_path_factory.mktemp("server"), []
    if name == "one session":
        (folder / "photic.toml").write_text(ONE_SESSION)
    if name == "nothing":
        labels = folder / "labels.txt"
        labels.write_text("\n".join("abcd"[:CLASSES]))
        model = save(classifier(size=(64, 64)), folder / "nothing.onnx")
        arguments = [str(model), "--recipe", "imagenet", "--labels", str(labels)]
    with photic(*arguments, folder=folder) as running:
        yield running


@pytest.mark.benchmark(group="a real server, per request and thread")
@pytest.mark.parametrize("clients", [1, 8])
def test_path(benchmark, server, photos, clients, say):
    """Prints for each kind of thread: CPU time, time of waiting for a core (both µs), switches; and
    the time of an answer in ms."""
    send_all(server, photos[0], clients)
    before = ProcessThreads(server.pid)
    benchmark.pedantic(send_all, (server, photos[0], clients), rounds=ROUNDS)
    after = ProcessThreads(server.pid)
    requests = ROUNDS * REQUESTS
    for kind in ("event loop", "Granian", "workers", "ORT's pool"):
        figures = {
            "cpu_us": (after.cpu_ns[kind] - before.cpu_ns[kind]) / 1e3 / requests,
            "waiting_us": (after.waiting_ns[kind] - before.waiting_ns[kind]) / 1e3 / requests,
            "switches": (after.switches[kind] - before.switches[kind]) / requests,
        }
        benchmark.extra_info[kind] = figures
        say(kind, figures.values())
    if benchmark.stats:
        say("answer", [1e3 * benchmark.stats.stats.median * clients / REQUESTS])


@pytest.mark.benchmark(group="waiting for the GIL")
@pytest.mark.parametrize("clients", [1, 8])
def test_gil(benchmark, photos, clients, say, tmp_path):
    """How late a thread wakes up in the server, and in a process of its own; prints the mean,
    median and 99th percentile in µs. The difference is the GIL."""
    inside, outside = tmp_path / "inside.npy", tmp_path / "outside.npy"
    with photic(prefix=gil_probe.command(inside)) as server, gil_probe.alone(outside):
        send_all(server, photos[0], clients)
        begin_ns = time.monotonic_ns()
        benchmark.pedantic(send_all, (server, photos[0], clients), rounds=ROUNDS)
        end_ns = time.monotonic_ns()
    for name, file in (("in the server", inside), ("alone", outside)):
        late_us = gil_probe.late_us(file, begin_ns, end_ns)
        figures = [float(late_us.mean()), *map(float, np.percentile(late_us, [50, 99]))]
        benchmark.extra_info[name] = figures
        say(name, figures)
