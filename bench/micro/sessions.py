"""What two sessions of the embedded model may share, and huge pages: memory, start-up, speed.

``python -m bench.micro.sessions [ROUNDS]`` runs each way in fresh processes, in turns, and prints
the medians as a table.
"""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime as ort

from bench.harness.server import bench_environment
from photic.inference import huge_pages
from photic.inference.session import load_session
from photic.inference.session_pair import load_pair
from photic.models.repository import embedded_repository

MODEL = embedded_repository().bundle("efficientnet-lite0").path
RUNS = 41
COLUMNS = ("load ms", "PSS MB", "one thread CPU-ms", "lone row ms", "lone row CPU-ms", "huge ms")
Sessions = tuple[ort.InferenceSession, ort.InferenceSession | None]


def pss_mb() -> float:
    """Of this process, with what other processes share counted in parts."""
    text = Path("/proc/self/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    assert found
    return int(found[1]) / 1024


def own(*threads: int) -> list[ort.InferenceSession]:
    """Sessions that share nothing."""
    sessions = []
    for count in threads:
        options = ort.SessionOptions()
        options.intra_op_num_threads = count
        options.add_session_config_entry("session.force_spinning_stop", "1")
        sessions.append(ort.InferenceSession(str(MODEL), options))
    return sessions


def photic() -> Sessions:
    return load_pair(MODEL, intra_op_threads=1, latency_threads=2)


WAYS: dict[str, Callable[[], Sessions]] = {
    "one session": lambda: (own(1)[0], None),
    "two, nothing shared": lambda: (own(1)[0], own(2)[0]),
    "two, one arena": lambda: (
        load_session(MODEL, intra_op_threads=1),
        load_session(MODEL, intra_op_threads=2),
    ),
    "two, one arena, weights mapped": photic,
    "the same, huge pages": photic,
}


def measure(way: str) -> list[float]:
    """One way in this process: the figures of COLUMNS; NaN where there is none."""
    before_mb, begin_ns = pss_mb(), time.monotonic_ns()
    one, two = WAYS[way]()
    load_ms = (time.monotonic_ns() - begin_ns) / 1e6
    row = np.random.default_rng(0).standard_normal((1, 3, 224, 224), dtype=np.float32)
    _use(one, two, row)
    huge_ms = float("nan")
    if "huge" in way:
        begin_ns = time.monotonic_ns()
        huge_pages.collapse()
        huge_ms = (time.monotonic_ns() - begin_ns) / 1e6
    pss = pss_mb() - before_mb
    _, one_cpu = _times(one, row)
    lone = _times(two, row) if two is not None else (float("nan"), float("nan"))
    return [load_ms, pss, one_cpu, *lone, huge_ms]


def _use(one: ort.InferenceSession, two: ort.InferenceSession | None, row: np.ndarray) -> None:
    """As a server does: two runs at once, and lone ones."""

    def often() -> None:
        for _ in range(15):
            one.run(None, {"input": row})

    threads = [threading.Thread(target=often) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(15 if two else 0):
        two.run(None, {"input": row})


def _times(session: ort.InferenceSession, row: np.ndarray) -> tuple[float, float]:
    """Medians of wall and CPU milliseconds of a run."""
    wall, cpu = [], []
    for _ in range(RUNS):
        begin = time.monotonic_ns(), time.process_time_ns()
        session.run(None, {"input": row})
        wall.append(time.monotonic_ns() - begin[0])
        cpu.append(time.process_time_ns() - begin[1])
    return float(np.median(wall)) / 1e6, float(np.median(cpu)) / 1e6


def main(rounds: int) -> None:
    figures: dict[str, list[list[float]]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            command = [sys.executable, "-m", "bench.micro.sessions", "--way", way]
            done = subprocess.run(
                command, env=bench_environment(), capture_output=True, text=True, check=True
            )
            figures[way].append(json.loads(done.stdout))
    print("| way |", " | ".join(COLUMNS), "|")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for way, runs in figures.items():
        medians = np.median(np.array(runs), axis=0)
        cells = ["-" if np.isnan(value) else f"{value:.1f}" for value in medians]
        print(f"| {way} |", " | ".join(cells), "|")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
