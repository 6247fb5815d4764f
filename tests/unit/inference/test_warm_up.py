"""B14: models whose batch is open in name only (pytorch/pytorch#157621)."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from onnx import TensorProto

import onnx_models
from batching_fakes import PATIENCE_S
from photic.errors import InferenceFailed, ModelFileError
from photic.inference.runner import Runner
from photic.inference.session import load_session
from photic.inference.signature import read_input, read_output
from photic.inference.warm_up import agrees, occupy, warm_up

ROW = (3, *onnx_models.SIZE)


@pytest.fixture
def warm(tmp_path):
    def run(model, *, batch):
        path = onnx_models.save(model, tmp_path / "model.onnx")
        session = load_session(path, intra_op_threads=1)
        runner = Runner(session, read_input(session, path), read_output(session, path, classes=0))
        return warm_up(runner, ROW, batch=batch, source="toy.onnx")

    return run


@pytest.mark.parametrize("batch", [1, 2, 5])
@pytest.mark.parametrize("dtype", [TensorProto.FLOAT, TensorProto.UINT8])
def test_a_good_model_serves_the_batch_it_is_asked_for(warm, caplog, batch, dtype):
    result = warm(onnx_models.classifier(dtype=dtype), batch=batch)
    assert result.max_batch == batch
    assert result.outputs.shape == (2, 4)
    assert caplog.records == []


BAKED = [
    (onnx_models.classifier(batch=1), "its input has a fixed batch of 1"),
    (onnx_models.baked_batch(), "the model failed on a batch of 4"),
    (onnx_models.mixing_batch(), "a batch of 4 gives other results than single images"),
]


@pytest.mark.parametrize(("model", "reason"), BAKED, ids=["fixed", "inner reshape", "mixed rows"])
def test_b14_a_baked_in_batch_is_found_and_served_at_batch_1(warm, caplog, capfd, model, reason):
    assert warm(model, batch=4).max_batch == 1
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage().startswith(f"toy.onnx: served one image at a time: {reason}")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("model", "_"), BAKED, ids=["fixed", "inner reshape", "mixed rows"])
def test_at_batch_1_they_serve_without_a_warning(warm, caplog, model, _):
    assert warm(model, batch=1).max_batch == 1
    assert caplog.records == []


def test_a_fixed_batch_is_mentioned_even_if_nobody_asked_for_more(warm, caplog):
    caplog.set_level("INFO")
    warm(onnx_models.classifier(batch=1), batch=1)
    assert "served one image at a time: its input has a fixed batch of 1" in caplog.text


def test_a_model_that_does_not_run_at_all_is_refused(warm):
    model = onnx_models.classifier(
        tail=[onnx_models.helper.make_node("Reshape", ["product", "no"], ["scores"])],
        more_constants={"no": np.array([7, 7])},
    )
    with pytest.raises(ModelFileError, match=r"toy.onnx: the model does not run: the model failed"):
        warm(model, batch=1)


def test_nan_is_told_at_once(warm, caplog):
    assert warm(onnx_models.not_finite(), batch=2).max_batch == 2
    assert "NaN or infinite" in caplog.text


def fake_runner(run):
    return SimpleNamespace(taken=SimpleNamespace(dtype="float32"), run=run)


def channel_means(rows):
    return rows.mean(axis=(2, 3))


def rounded(rows):
    return channel_means(rows) * np.float32(1 + 1e-4)


def turned(rows):
    return channel_means(rows)[:, ::-1]


def failing(rows):
    raise InferenceFailed("out of luck")


@pytest.mark.parametrize(
    ("run", "same", "reason"),
    [
        (channel_means, True, None),
        (rounded, True, None),
        (turned, False, "it gives other results than one thread"),
        (lambda rows: channel_means(rows) * 1.1, False, "it gives other results than one thread"),
        (failing, False, "out of luck"),
    ],
    ids=["same", "rounded", "turned", "louder", "failing"],
)
def test_the_session_for_lone_rows_must_give_the_same(caplog, run, same, reason):
    warm = warm_up(
        SimpleNamespace(
            taken=SimpleNamespace(dtype="float32", fixed_batch=None), run=channel_means
        ),
        ROW,
        batch=1,
        source="toy.onnx",
    )
    assert agrees(fake_runner(run), ROW, warm=warm, source="toy.onnx") is same
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ([] if same else [f"toy.onnx: no session for lone requests: {reason}"])


def test_as_many_runs_as_workers_are_at_it_at_once():
    together = threading.Barrier(3, timeout=PATIENCE_S)
    shapes = []

    def run(rows):
        together.wait()
        shapes.append(rows.shape)

    occupy(fake_runner(run), ROW, batch=4, runs=3)
    assert shapes == [(4, *ROW)] * 3
