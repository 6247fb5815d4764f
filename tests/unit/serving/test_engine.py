import asyncio
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from msgspec import UNSET

from batching_fakes import PATIENCE_S, HandClock
from photic.batching.clock import NEVER_NS
from photic.errors import BadRequest, InferenceFailed
from photic.models.bundle import ModelBundle
from photic.models.recipe import InputRecipe, ModelRecipe
from photic.postprocess.classification import Classification
from photic.postprocess.embedding import Embedding
from photic.serving.engine import Engine
from photic.serving.request import InferenceRequest
from photic.settings import BatchingSettings
from photic.stages import Stage, Timeline
from serving_fakes import service_of

LABELS = ("ant", "bee", "cat")
BUNDLE = ModelBundle(
    name="insects",
    version=3,
    variant="int8",
    path=Path("model.onnx"),
    recipe=ModelRecipe(input=InputRecipe(size=(2, 2))),
    labels=LABELS,
)


class FakePreprocessor:
    shape = (3, 2, 2)
    dtype = np.dtype(np.float32)

    def into(self, image, out, *, wait):
        assert not wait, "a worker waits"
        out[...] = len(image)

    def pixels_into(self, pixels, out):
        out[...] = pixels.shape[0]


def engine_of(
    run=lambda rows: rows[:, :, 0, 0], *, task=None, clock=None, latency_runner=None, **batching
) -> Engine:
    return Engine(
        BUNDLE,
        preprocessor=FakePreprocessor(),
        runner=SimpleNamespace(run=run),
        latency_runner=latency_runner,
        postprocessor=task or Classification(LABELS, scores="none"),
        batching=BatchingSettings(**batching),
        clock=clock or HandClock(),
    )


def request(name: str = "a", *, image=b"12345", top_k: int = 1) -> InferenceRequest:
    return InferenceRequest(
        image=image, request_id=name, top_k=top_k, deadline_ns=NEVER_NS, timeline=Timeline(0)
    )


def rows(*values: tuple[float, float, float]) -> np.ndarray:
    return np.array(values, np.float32).reshape(-1, 3, 1, 1)


def test_it_is_a_lane_of_the_batcher():
    engine = engine_of(preferred_batch=4, max_queue_delay_ms=3)
    assert (engine.name, engine.preferred_batch) == ("insects/3", 4)
    assert engine.max_queue_delay_ns == 3_000_000
    assert (engine.row_shape, engine.row_dtype) == ((3, 2, 2), np.float32)


@pytest.mark.parametrize(
    ("image", "value"), [(b"12345", 5), (bytearray(7), 7), (np.zeros((9, 4, 3), np.uint8), 9)]
)
def test_bytes_are_decoded_and_pixels_resampled(image, value):
    row = np.empty((3, 2, 2), np.float32)
    engine_of().decode(request(image=image), row)
    assert (row == value).all()


def test_every_request_is_answered_from_its_row():
    answers = engine_of().run(
        [request("a"), request("b", top_k=2)], rows((1, 2, 3), (0.25, 0.5, 0.0))
    )
    assert [(a.model, a.version, a.variant, a.request_id) for a in answers] == [
        ("insects", 3, "int8", "a"),
        ("insects", 3, "int8", "b"),
    ]
    named = [[(c.index, c.label, c.score) for c in answer.predictions] for answer in answers]
    assert named == [[(2, "cat", 3.0)], [(1, "bee", 0.5), (0, "ant", 0.25)]]
    assert answers[0].embedding is UNSET


def test_an_embedding_is_answered_as_such():
    [answer] = engine_of(task=Embedding()).run([request()], rows((1, 2, 3)))
    assert answer.embedding == (1.0, 2.0, 3.0)
    assert answer.predictions is UNSET


def test_a_row_that_runs_alone_goes_to_the_session_for_it():
    def other(rows):
        return rows[:, :, 0, 0] + np.float32(100.0)

    engine = engine_of(latency_runner=SimpleNamespace(run=other))
    assert engine.runs_alone
    assert not engine_of().runs_alone
    scores = [
        engine.run([request()], rows((1, 2, 3)), alone=alone)[0].predictions[0].score
        for alone in (False, True)
    ]
    assert scores == [3.0, 103.0]


@pytest.mark.parametrize("scores", ["softmax", "sigmoid", "none"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_fails_its_own_image_only(scores, bad):
    engine = engine_of(task=Classification(LABELS, scores=scores))
    good, failed, other = engine.run(
        [request("a"), request("b"), request("c")], rows((3, 2, 1), (1, bad, bad), (1, 2, 3))
    )
    assert isinstance(failed, InferenceFailed)
    assert failed.detail == "the model gave NaN or infinite values for this image"
    assert [good.predictions[0].label, other.predictions[0].label] == ["ant", "cat"]


def test_it_ends_infer_and_postprocess():
    clock = HandClock()

    def run(batch):
        clock.advance(500)
        return batch[:, :, 0, 0]

    def task(outputs, top_k):
        clock.advance(30)
        return Embedding()(outputs, top_k)

    one, two = request(), request()
    engine_of(run, task=task, clock=clock).run([one, two], rows((1, 2, 3), (4, 5, 6)))
    assert one.timeline.durations_ns() == [(Stage.INFER, 500), (Stage.POSTPROCESS, 30)]
    assert two.timeline.durations_ns() == one.timeline.durations_ns()


@pytest.mark.parametrize(
    "kind", [ValueError, MemoryError, asyncio.CancelledError, KeyboardInterrupt]
)
@pytest.mark.parametrize("part", ["_preprocessor", "_runner", "_postprocessor"])
def test_b07_whichever_part_fails_the_next_request_is_served(part, kind):
    engine = engine_of()
    good, broken = getattr(engine, part), Mock(side_effect=kind)
    broken.into = broken.run = broken
    service = service_of(engine)
    service.start()
    setattr(engine, part, broken)
    with pytest.raises(InferenceFailed, match=f"failed with {kind.__name__}"):
        service.submit(engine, request()).result(PATIENCE_S)
    setattr(engine, part, good)
    answer = service.submit(engine, request()).result(PATIENCE_S)
    assert answer.predictions[0].score == 5.0
    assert service.health().healthy
    assert service.close()


@pytest.mark.parametrize("top_k", [1, 3])
def test_top_k_up_to_the_number_of_classes(top_k):
    assert engine_of().check_top_k(top_k) == top_k


@pytest.mark.parametrize("top_k", [0, -1, 4, 10**9])
def test_top_k_beyond_is_refused_with_limit_and_value(top_k):
    with pytest.raises(BadRequest, match=f"top_k is {top_k}; it must be from 1 to 3"):
        engine_of().check_top_k(top_k)
