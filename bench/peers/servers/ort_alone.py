"""ONNX Runtime without a server, as the rivals use it.

`ort_alone.py floor CONCURRENT SECONDS` prints the CPU nanoseconds of one inference when so many
threads infer at once, each on one core. `ort_alone.py top_1 FOLDER` prints the class of each of
the folder's files, in the order of their names, by Pillow's row: a JSON array.
"""

import json
import sys
import threading
import time
from pathlib import Path

import numpy as np

from bench.peers.rows import pillow
from bench.peers.servers.lite0 import session

model = session(1)


def infer_until(end: float, counts: list[int]) -> None:
    row = np.random.default_rng(0).standard_normal((1, 3, 224, 224), dtype=np.float32)
    while time.perf_counter() < end:
        model.run(None, {"input": row})
        counts.append(1)


def floor(concurrent: int, seconds: float) -> int:
    counts: list[int] = []
    end = time.perf_counter() + seconds
    threads = [threading.Thread(target=infer_until, args=(end, counts)) for _ in range(concurrent)]
    cpu = time.process_time_ns()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.process_time_ns() - cpu) // len(counts)


def top_1(path: Path) -> int:
    (logits,) = model.run(None, {"input": pillow(path.read_bytes())[None]})
    return int(logits[0].argmax())


if __name__ == "__main__":
    if sys.argv[1] == "floor":
        print(floor(int(sys.argv[2]), float(sys.argv[3])))
    else:
        print(json.dumps([top_1(path) for path in sorted(Path(sys.argv[2]).iterdir())]))
