"""Ways to run the embedded model: threads and spinning, batch sizes, bound outputs.

CPU time of all threads is in ``extra_info`` of the JSON, ``cpu_ms_per_image``, and is printed.
"""

import hashlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import onnxruntime as ort
import pytest

from photic.inference.runner import Runner
from photic.inference.session import load_session
from photic.inference.session_pair import load_pair
from photic.inference.signature import read_input, read_output
from photic.models.repository import embedded_repository

BUNDLE = embedded_repository().bundle("efficientnet-lite0")
ROUNDS = 30


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((count, 3, 224, 224), dtype=np.float32)


def runner(session: ort.InferenceSession) -> Callable[[np.ndarray], np.ndarray]:
    taken = read_input(session, BUNDLE.path)
    return Runner(session, taken, read_output(session, BUNDLE.path, classes=1000)).run


def plainly_spinning(threads: int) -> ort.InferenceSession:
    """As ONNX Runtime does by default: waiting threads spin until the run ends."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return ort.InferenceSession(str(BUNDLE.path), options, providers=["CPUExecutionProvider"])


@pytest.fixture
def timed(benchmark, say):
    """Benchmarks a function that infers so many images; prints median and 90th percentile of a
    round and the CPU time of an image, all in ms."""

    def run(function: Callable[[], object], *, images: int, idle_s: float = 0.0) -> None:
        cpu_ns: list[int] = []

        def once() -> None:
            begin_ns = time.process_time_ns()
            function()
            cpu_ns.append(time.process_time_ns() - begin_ns)

        benchmark.pedantic(
            once, setup=lambda: time.sleep(idle_s), rounds=ROUNDS, warmup_rounds=3, iterations=1
        )
        cpu_ms = float(np.median(cpu_ns)) / 1e6 / images
        benchmark.extra_info["cpu_ms_per_image"] = cpu_ms
        if benchmark.stats:
            of_a_round_s = np.percentile(benchmark.stats.stats.data, [50, 90])
            say("", [*(1e3 * of_a_round_s), cpu_ms])

    return run


WAYS = {
    "one thread": lambda: load_session(BUNDLE.path, intra_op_threads=1),
    "two, sleeping": lambda: load_session(BUNDLE.path, intra_op_threads=2),
    "two, spinning": lambda: plainly_spinning(2),
    "two, spinning 20 us": lambda: (
        load_pair(BUNDLE.path, intra_op_threads=1, latency_threads=2).latency
    ),
}


@pytest.mark.benchmark(group="inference of a lone row")
@pytest.mark.parametrize("idle_ms", [0, 20])
@pytest.mark.parametrize("way", WAYS)
def test_lone_row(timed, way, idle_ms):
    run, row = runner(WAYS[way]()), rows(1)
    timed(lambda: run(row), images=1, idle_s=idle_ms / 1e3)


@pytest.fixture
def busy_process():
    """Computes without end."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        yield
        process.kill()


@pytest.mark.benchmark(group="inference of a lone row beside a busy process")
@pytest.mark.usefixtures("busy_process")
@pytest.mark.parametrize("way", WAYS)
def test_disturbed(timed, way):
    run, row = runner(WAYS[way]()), rows(1)
    timed(lambda: run(row), images=1)


@pytest.mark.benchmark(group="inference of 16 images")
@pytest.mark.parametrize("batch", [1, 4, 16])
@pytest.mark.parametrize("threads", [1, 2])
def test_batch(timed, threads, batch):
    run = runner(load_session(BUNDLE.path, intra_op_threads=threads))
    batch_of_rows = rows(batch)

    def sixteen_images() -> None:
        for _ in range(16 // batch):
            run(batch_of_rows)

    timed(sixteen_images, images=16)


@pytest.mark.benchmark(group="inference, how the output is given")
@pytest.mark.parametrize("way", ["run", "bound for ever", "bound for each run"])
def test_output(timed, way):
    session = load_session(BUNDLE.path, intra_op_threads=1)
    row, output = rows(1), np.empty((1, 1000), np.float32)
    run, binding = runner(session), session.io_binding()

    def bind() -> None:
        binding.bind_input("input", "cpu", 0, np.float32, row.shape, row.ctypes.data)
        binding.bind_output("logits", "cpu", 0, np.float32, output.shape, output.ctypes.data)

    def bound() -> None:
        bind()
        session.run_with_iobinding(binding)

    bind()
    ways = {
        "run": lambda: run(row),
        "bound for ever": lambda: session.run_with_iobinding(binding),
        "bound for each run": bound,
    }
    timed(ways[way], images=1)


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Another thread does nothing but that, over and over, without the GIL."""
    over = threading.Event()

    def work_on() -> None:
        while not over.is_set():
            work()

    thread = threading.Thread(target=work_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def neighbour(kind: str, run: Callable[[np.ndarray], object]) -> Callable[[], object]:
    """What the other core does: nothing; computing in its own cache; what it does in the server;
    reading and writing memory as fast as it can."""
    row, data, large = rows(1), bytes(65_536), np.ones((2, 64 << 20), np.uint8)
    return {
        "idle": lambda: time.sleep(0.01),
        "hashing 64 kB": lambda: hashlib.sha256(data),
        "another run": lambda: run(row),
        "copying 64 MB": lambda: np.copyto(large[0], large[1]),
    }[kind]


@pytest.mark.benchmark(group="inference on one core, by what the other one does; CPU time")
@pytest.mark.parametrize("kind", ["idle", "hashing 64 kB", "another run", "copying 64 MB"])
def test_contention(benchmark, kind, say):
    """Prints CPU-ms of a run."""
    run, row = runner(load_session(BUNDLE.path, intra_op_threads=1)), rows(1)
    cpu_ns: list[int] = []

    def once() -> None:
        begin_ns = time.thread_time_ns()
        run(row)
        cpu_ns.append(time.thread_time_ns() - begin_ns)

    with beside(neighbour(kind, run)):
        benchmark.pedantic(once, rounds=10 * ROUNDS, warmup_rounds=3)
    benchmark.extra_info["cpu_ms_per_image"] = float(np.median(cpu_ns[3:])) / 1e6
    say(kind, [benchmark.extra_info["cpu_ms_per_image"]])
