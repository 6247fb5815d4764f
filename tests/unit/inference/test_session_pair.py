"""Two sessions of one model: one copy of the weights, the same results, no failed start."""

import logging
import resource
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

import onnx_models
from photic.errors import ModelFileError
from photic.inference.session import load_session
from photic.inference.session_pair import load_pair
from photic.inference.signature import read_input, read_output
from photic.models.repository import embedded_repository

ROWS = np.random.default_rng(5).standard_normal((2, 3, *onnx_models.SIZE), np.float32)


@pytest.fixture
def path(tmp_path):
    return onnx_models.save(onnx_models.classifier(), tmp_path / "model.onnx")


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def pair(path, latency_threads=2):
    return load_pair(path, intra_op_threads=1, latency_threads=latency_threads)


def test_both_give_what_the_model_says(path):
    for session in pair(path):
        [outputs] = session.run(None, {"image": ROWS})
        np.testing.assert_allclose(outputs, onnx_models.by_hand(ROWS), atol=1e-6)


def test_the_session_for_several_runs_does_not_spin_and_the_other_one_a_little(path):
    throughput, latency = (session.get_session_options() for session in pair(path))
    assert (throughput.intra_op_num_threads, latency.intra_op_num_threads) == (1, 2)
    spinning = "session.intra_op.allow_spinning"
    assert throughput.get_session_config_entry(spinning) == "0"
    assert latency.get_session_config_entry(spinning) == "1"
    assert latency.get_session_config_entry("session.intra_op.spin_duration_us") == "20"
    assert latency.get_session_config_entry("session.force_spinning_stop") == "1"


def test_one_thread_means_one_session(path, temporary):
    throughput, latency = pair(path, latency_threads=1)
    assert throughput.get_session_options().intra_op_num_threads == 1
    assert latency is None


@pytest.mark.parametrize(
    "model",
    [
        onnx_models.classifier(layout="NHWC"),
        onnx_models.classifier(dtype=TensorProto.UINT8),
        onnx_models.classifier(size=("h", "w"), width="classes"),
        onnx_models.classifier(batch=1),
    ],
    ids=["NHWC", "uint8", "open", "fixed"],
)
def test_what_the_model_takes_and_gives_is_still_told(path, model):
    onnx_models.save(model, path)
    plain = load_session(path, intra_op_threads=1)
    for session in pair(path):
        assert read_input(session, path) == read_input(plain, path)
        assert read_output(session, path, classes=4) == read_output(plain, path, classes=4)


def test_the_weights_are_mapped_once_and_nothing_is_left_on_disk(temporary):
    sessions = load_pair(
        embedded_repository().bundle("efficientnet-lite0").path,
        intra_op_threads=1,
        latency_threads=2,
    )
    assert list(temporary.iterdir()) == []
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    inodes = {line[4] for line in maps if str(temporary) in " ".join(line[5:])}
    assert len(inodes) == 1
    row = np.zeros((1, 3, 224, 224), np.float32)
    first, second = (session.run(None, {"input": row})[0] for session in sessions)
    np.testing.assert_allclose(first, second, atol=1e-3)


@contextmanager
def full_disk(_temporary):
    """No file grows beyond 100 bytes, not even one that pytest writes to: not for long, then."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def no_folder(temporary):
    temporary.rmdir()
    yield


@pytest.mark.parametrize("trouble", [no_folder, full_disk])
def test_without_room_for_the_weights_there_is_one_session(path, temporary, trouble, caplog):
    with trouble(temporary):
        throughput, latency = pair(path)
    assert latency is None
    [outputs] = throughput.run(None, {"image": ROWS})
    np.testing.assert_allclose(outputs, onnx_models.by_hand(ROWS), atol=1e-6)
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"{path}: no session for lone requests: ")


def test_a_broken_model_is_refused_with_its_own_path(path, temporary, caplog):
    path.write_bytes(b"<!doctype html>")
    with pytest.raises(ModelFileError, match="cannot load the model") as refused:
        pair(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert caplog.records == []
    assert list(temporary.iterdir()) == []
