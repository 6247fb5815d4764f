"""What a real server spends on a request, thread by thread: the CPU time that Linux counted."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from onnx_models import CLASSES, classifier, save
from running_server import RunningServer

REQUESTS = 240
"""In one round, by all clients together."""
THREADS = {"photic": "event loop", "photic-http": "Granian", "photic-ort": "ORT's pool"}
"""By the names that Linux knows; the others are the workers."""


class ThreadTimes:
    """CPU time in nanoseconds and voluntary switches of a process, by kind of thread."""

    def __init__(self, pid: int) -> None:
        self.cpu_ns: Counter[str] = Counter()
        self.switches: Counter[str] = Counter()
        for task in Path(f"/proc/{pid}/task").iterdir():
            kind = THREADS.get((task / "comm").read_text().strip(), "workers")
            self.cpu_ns[kind] += int((task / "schedstat").read_text().split()[0])
            status = (task / "status").read_text()
            self.switches[kind] += int(
                re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.MULTILINE)[1]
            )


def send(address: tuple[str, int], photo: bytes, requests: int) -> None:
    """One client with one connection."""
    connection = HTTPConnection(*address)
    for _ in range(requests):
        connection.request("POST", "/v1/predict", photo)
        with connection.getresponse() as response:
            assert response.status == 200, response.read()
            response.read()
    connection.close()


@pytest.fixture(scope="module", params=["embedded", "nothing"])
def server(request, tmp_path_factory):
    """With the embedded model, and with one that does next to nothing, so that caches stay warm."""
    arguments = []
    if request.param == "nothing":
        folder = tmp_path_factory.mktemp("model")
        labels = folder / "labels.txt"
        labels.write_text("\n".join("abcd"[:CLASSES]))
        model = save(classifier(size=(64, 64)), folder / "nothing.onnx")
        arguments = [str(model), "--recipe", "imagenet", "--labels", str(labels)]
    with RunningServer(*arguments) as running:
        running.model = request.param
        yield running
        running.stop()


@pytest.mark.benchmark(group="a real server, per request and thread")
@pytest.mark.parametrize("clients", [1, 8])
def test_path(benchmark, server, photos, clients, capsys):
    def one_round():
        with ThreadPoolExecutor(clients) as pool:
            begun = [
                pool.submit(send, server.address, photos[0], REQUESTS // clients)
                for _ in range(clients)
            ]
            for client in begun:
                client.result()

    one_round()
    rounds = 5
    before = ThreadTimes(server.process.pid)
    benchmark.pedantic(one_round, rounds=rounds)
    after = ThreadTimes(server.process.pid)
    with capsys.disabled():
        print(f"\n{server.model} model, {clients} clients")
        for kind in ("event loop", "Granian", "workers", "ORT's pool"):
            cpu_us = (after.cpu_ns[kind] - before.cpu_ns[kind]) / 1e3 / rounds / REQUESTS
            switches = (after.switches[kind] - before.switches[kind]) / rounds / REQUESTS
            benchmark.extra_info[kind] = {"cpu_us": cpu_us, "switches": switches}
            print(f"  {kind:12} {cpu_us:8.0f} µs {switches:6.1f} switches")
