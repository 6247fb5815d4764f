"""From logits to labelled scores, for one row and for a batch."""

import numpy as np
import pytest

from oracle.model import labels
from photic.postprocess.classification import Classification


@pytest.mark.benchmark(group="postprocess")
@pytest.mark.parametrize("rows", [1, 4, 16])
def test_classification(benchmark, rows):
    classify = Classification(labels(), scores="softmax")
    logits = np.random.default_rng(1).normal(0.0, 3.0, (rows, len(labels()))).astype(np.float32)
    found = benchmark(classify, logits, [5] * rows)
    assert [p.predictions[0].index for p in found] == logits.argmax(axis=1).tolist()
