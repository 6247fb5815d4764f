"""The whole engine without a web server: a photo's bytes to an answer, one at a time."""

import pytest

from bench.peers.rows import pillow
from oracle.model import labels, session
from photic import Predictor


@pytest.mark.benchmark(group="engine")
def test_predictor(timed):
    with Predictor() as predictor:
        timed(predictor.predict)


@pytest.mark.benchmark(group="engine")
def test_pillow_and_onnxruntime(timed):
    """What a script of ten lines does, with ONNX Runtime's default threads."""

    def predict(data: bytes) -> list[str]:
        (logits,) = session().run(None, {"input": pillow(data)[None]})
        return [labels()[index] for index in logits[0].argsort()[-5:]]

    timed(predict)
