"""Lone requests on the latency session, with the embedded model; no other requests are."""

import numpy as np
import pytest
from msgspec import structs

import onnx_models
from batching_fakes import PATIENCE_S
from oracle.photos import jpeg, photo
from photic.batching.clock import NEVER_NS
from photic.models.repository import embedded_repository
from photic.serving.engine import Engine, load_engine, open_bare
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import Settings
from photic.stages import Timeline
from serving_fakes import plan

PHOTO = jpeg(photo("chelsea"))
TWO_CORES = plan(2)


def loaded(threads: int) -> Engine:
    bundle = embedded_repository().bundle("efficientnet-lite0")
    return load_engine(bundle, Settings(), structs.replace(TWO_CORES, latency_threads=threads))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded(2)


@pytest.fixture
def serve():
    """A started service of one engine."""
    started = []

    def start(engine: Engine) -> InferenceService:
        service = InferenceService(
            [engine], default=engine.bundle.name, settings=Settings(), plan=TWO_CORES
        )
        service.start()
        started.append(service)
        return service

    yield start
    assert all(service.close() for service in started)


def submit(service: InferenceService, engine: Engine):
    timeline = Timeline(service.clock.now_ns())
    request = InferenceRequest(
        image=PHOTO, request_id="", top_k=1, deadline_ns=NEVER_NS, timeline=timeline
    )
    return service.submit(engine, request)


def test_requests_one_by_one_run_alone(engine, serve):
    service = serve(engine)
    for _ in range(10):
        answer = submit(service, engine).result(PATIENCE_S)
        assert answer.predictions[0].index == 282
    # A request may come before the worker has noted the end of the last one.
    assert service.counts(engine).alone >= 8
    assert service.counts(engine).batch_sizes == (0, 10)


def test_of_many_at_once_only_the_last_can(engine, serve):
    service = serve(engine)
    futures = [submit(service, engine) for _ in range(24)]
    answers = [future.result(PATIENCE_S) for future in futures]
    assert {answer.predictions[0].index for answer in answers} == {282}
    assert service.counts(engine).alone <= 1


def test_one_thread_means_none(serve):
    engine = loaded(1)
    assert not engine.runs_alone
    service = serve(engine)
    for _ in range(3):
        submit(service, engine).result(PATIENCE_S)
    assert service.counts(engine).alone == 0


def test_both_sessions_give_the_same_answer(engine):
    def answer(*, alone: bool):
        row = np.empty((1, *engine.row_shape), engine.row_dtype)
        request = InferenceRequest(
            image=PHOTO, request_id="", top_k=5, deadline_ns=NEVER_NS, timeline=Timeline(0)
        )
        engine.decode(request, row[0])
        [answered] = engine.run([request], row, alone=alone)
        return answered.predictions

    lone, beside_others = answer(alone=True), answer(alone=False)
    assert [one.index for one in lone] == [one.index for one in beside_others]
    assert [one.score for one in lone] == pytest.approx(
        [one.score for one in beside_others], abs=1e-5
    )


@pytest.mark.parametrize(
    "model",
    [onnx_models.classifier(size=(32, 32)), onnx_models.classifier(size=(32, 32), batch=1)],
    ids=["open", "fixed batch"],
)
def test_a_users_model_has_a_latency_session_too(tmp_path, model):
    path = onnx_models.save(model, tmp_path / "toy.onnx")
    labels = tmp_path / "labels.txt"
    labels.write_text("red\ngreen\nblue\nwhite\n")
    bundle = open_bare(path, recipe="imagenet", labels=str(labels))
    engine = load_engine(bundle, Settings(), structs.replace(TWO_CORES, latency_threads=2))
    assert engine.runs_alone
