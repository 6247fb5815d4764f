"""LitServe: one inference process a core, raw bodies. Usage: litserve_server.py PORT."""

import os
import sys
from typing import Annotated

import litserve
import numpy as np
from fastapi import Body

from bench.peers.rows import Row, pillow_draft
from bench.peers.servers.lite0 import Prediction, labels, session, top_5

CORES = len(os.sched_getaffinity(0))
# The fastest here of 1 and 2 processes with batches of 1, 4 and 8 (the variables try others).
PROCESSES = int(os.environ.get("BENCH_PROCESSES", CORES))
BATCH = int(os.environ.get("BENCH_BATCH", "4"))
BATCH_WAIT_S = 0.005


class Classifier(litserve.LitAPI):
    def setup(self, device: str) -> None:  # noqa: ARG002  the interface's
        self._names = labels()
        self._session = session(max(1, CORES // PROCESSES))

    def decode_request(self, request: Annotated[bytes, Body()]) -> Row:
        return pillow_draft(request)

    def predict(self, x: Row) -> np.ndarray:
        rows = x[None] if BATCH == 1 else x
        (logits,) = self._session.run(None, {"input": rows})
        return logits[0] if BATCH == 1 else logits

    def encode_response(self, output: np.ndarray) -> dict[str, list[Prediction]]:
        return {"predictions": top_5(output, self._names)}


if __name__ == "__main__":
    batching = {"max_batch_size": BATCH, "batch_timeout": BATCH_WAIT_S} if BATCH > 1 else {}
    server = litserve.LitServer(
        Classifier(**batching), accelerator="cpu", workers_per_device=PROCESSES, fast_queue=True
    )
    port = int(sys.argv[1])
    server.run(host="127.0.0.1", port=port, generate_client_file=False, log_level="warning")
