"""Triton Inference Server through nvidia-pytriton, on the CPU. Usage: triton_server.py PORT."""

import os
import sys

import numpy as np
from numpy.typing import NDArray
from pytriton.model_config import ModelConfig, Tensor
from pytriton.triton import Triton, TritonConfig

from bench.peers.rows import pillow_draft
from bench.peers.servers.lite0 import session

CORES = len(os.sched_getaffinity(0))


class Classifier:
    """One instance of the model; Triton runs them side by side."""

    def __init__(self, threads: int) -> None:
        self._session = session(threads)

    def __call__(self, requests: list[dict[str, NDArray]]) -> list[dict[str, NDArray]]:
        rows = np.stack([pillow_draft(request["image"].tobytes()) for request in requests])
        (logits,) = self._session.run(None, {"input": rows})
        return [{"top_1": np.array([row.argmax()], np.int32)} for row in logits]


def main() -> None:
    port = int(sys.argv[1])
    config = TritonConfig(
        http_port=port, http_address="127.0.0.1", allow_grpc=False, allow_metrics=False
    )
    with Triton(config=config) as triton:
        triton.bind(
            model_name="lite0",
            infer_func=[Classifier(1) for _ in range(CORES)],
            inputs=[Tensor(name="image", dtype=np.uint8, shape=(-1,))],
            outputs=[Tensor(name="top_1", dtype=np.int32, shape=(1,))],
            config=ModelConfig(batching=False),  # photos differ in length, so none batch
            strict=False,
        )
        triton.serve()


if __name__ == "__main__":
    main()
