"""What a batch gains on this machine: the embedded model by batch size and threads of one run."""

import numpy as np
import pytest

from photic.inference.runner import Runner
from photic.inference.session import load_session
from photic.inference.signature import read_input, read_output
from photic.models.repository import embedded_repository


@pytest.mark.benchmark(group="inference of 16 images")
@pytest.mark.parametrize("batch", [1, 4, 16])
@pytest.mark.parametrize("threads", [1, 2])
def test_batch(benchmark, threads, batch):
    bundle = embedded_repository().bundle("efficientnet-lite0")
    session = load_session(bundle.path, intra_op_threads=threads)
    runner = Runner(
        session, read_input(session, bundle.path), read_output(session, bundle.path, classes=1000)
    )
    rows = np.random.default_rng(0).standard_normal((batch, 3, 224, 224), dtype=np.float32)

    def sixteen_images():
        for _ in range(16 // batch):
            runner.run(rows)

    benchmark.pedantic(sixteen_images, rounds=10, warmup_rounds=1)
