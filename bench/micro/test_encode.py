"""From an answer to the JSON bytes that are sent."""

import json

import msgspec
import numpy as np
import pytest

from oracle.model import labels
from photic.postprocess.classification import Classification
from photic.serving.answer import Answer


@pytest.mark.benchmark(group="encode")
@pytest.mark.parametrize("top_k", [1, 5, 1_000])
def test_answer(benchmark, top_k):
    logits = np.random.default_rng(1).normal(0.0, 3.0, (1, len(labels()))).astype(np.float32)
    (found,) = Classification(labels(), scores="softmax")(logits, [top_k])
    answer = Answer(
        model="efficientnet-lite0",
        version=1,
        variant="fp32",
        request_id="0123456789abcdef",
        predictions=found.predictions,
    )
    sent = json.loads(benchmark(msgspec.json.Encoder().encode, answer))
    assert [score["index"] for score in sent["predictions"]] == [s.index for s in found.predictions]
