"""mosec: its web server in Rust, one worker process a core, raw bodies.

Usage: mosec_server.py --port PORT; mosec reads the command line itself.
"""

import os
from typing import Any

import msgspec
import numpy as np
from mosec import Server, Worker

from bench.peers.rows import pillow_draft
from bench.peers.servers.lite0 import Prediction, labels, session, top_5

CORES = len(os.sched_getaffinity(0))
# The fastest here of 1 and 2 processes with batches of 1, 4 and 8 (the variables try others).
PROCESSES = int(os.environ.get("BENCH_PROCESSES", CORES))
BATCH = int(os.environ.get("BENCH_BATCH", "4"))
BATCH_WAIT_MS = 5


class Classifier(Worker):
    def __init__(self) -> None:
        super().__init__()
        self._names = labels()
        self._session = session(max(1, CORES // PROCESSES))

    def deserialize(self, data: bytes) -> bytes:
        return data

    def forward(self, data: Any) -> Any:
        bodies = data if BATCH > 1 else [data]
        rows = np.stack([pillow_draft(body) for body in bodies])
        (logits,) = self._session.run(None, {"input": rows})
        answers = [top_5(row, self._names) for row in logits]
        return answers if BATCH > 1 else answers[0]

    def serialize(self, data: list[Prediction]) -> bytes:
        return msgspec.json.encode({"predictions": data})


if __name__ == "__main__":
    server = Server()
    server.append_worker(
        Classifier, num=PROCESSES, max_batch_size=BATCH, max_wait_time=BATCH_WAIT_MS
    )
    server.run()
