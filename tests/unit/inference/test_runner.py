import threading
from types import SimpleNamespace

import numpy as np
import pytest

import onnx_models
from photic.errors import InferenceFailed
from photic.inference.runner import Runner
from photic.inference.session import load_session
from photic.inference.signature import ImageInput, RowOutput, read_input, read_output


@pytest.fixture
def runner(tmp_path):
    def load(model) -> Runner:
        path = onnx_models.save(model, tmp_path / "model.onnx")
        session = load_session(path, intra_op_threads=1)
        return Runner(session, read_input(session, path), read_output(session, path, classes=0))

    return load


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal((count, 3, *onnx_models.SIZE), np.float32)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_batch_gives_what_the_model_says(runner, count):
    batch = rows(count)
    outputs = runner(onnx_models.classifier()).run(batch)
    assert outputs.dtype == np.float32
    np.testing.assert_allclose(outputs, onnx_models.by_hand(batch), atol=1e-6)


def test_many_threads_may_run_it_at_once(runner):
    shared, batches = runner(onnx_models.classifier()), [rows(2) + n for n in range(8)]
    outputs: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda n=n: outputs.update({n: shared.run(batches[n])}))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        np.testing.assert_allclose(outputs[n], onnx_models.by_hand(batches[n]), atol=1e-5)


def test_a_model_that_fails_says_so_in_one_line_and_not_on_stderr(runner, capfd):
    with pytest.raises(InferenceFailed) as failed:
        runner(onnx_models.baked_batch()).run(rows(2))
    assert failed.value.detail.startswith("the model failed on a batch of 2: ")
    assert "\n" not in failed.value.detail
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("shape", [(2, 3), (1, 4), (4,), (2, 4, 1), ()])
def test_an_output_of_another_shape_is_a_failure(shape):
    session = SimpleNamespace(run=lambda *_: [np.zeros(shape, np.float32)])
    taken = ImageInput("image", ("n", 3, 8, 6), "float32")
    with pytest.raises(InferenceFailed, match=r"'scores' is .* for a batch of 2; it should be"):
        Runner(session, taken, RowOutput("scores", 4)).run(rows(2))


def test_an_open_width_is_taken_as_it_comes():
    session = SimpleNamespace(run=lambda *_: [np.zeros((2, 9), np.float32)])
    taken = ImageInput("image", ("n", 3, 8, 6), "float32")
    assert Runner(session, taken, RowOutput("scores", None)).run(rows(2)).shape == (2, 9)
