"""What the Python API refuses, and that it says so at once."""

import os
import subprocess
import sys

import numpy as np
import pytest

from photic import Predictor
from photic.errors import BadRequest, BodyTooLarge
from photic.settings import BodySettings, Settings


@pytest.fixture(scope="module")
def predictor():
    with Predictor() as made:
        yield made


@pytest.mark.parametrize(
    "image",
    [
        None,
        5,
        ["photo.jpg"],
        memoryview(b"abcdef")[::2],
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((4, 0, 3), np.uint8),
        np.zeros((1, 65_536, 3), np.uint8),
    ],
    ids=["None", "number", "list", "strided", "no rows", "no columns", "too wide"],
)
def test_r11_what_is_no_image_is_refused_before_any_work(predictor, caplog, image):
    """It was `InferenceFailed: decode failed with TypeError`, with a traceback in the log."""
    with pytest.raises(BadRequest) as refused:
        predictor.predict(image)
    [yielded] = predictor.predict_many([image])
    assert isinstance(yielded, BadRequest)
    assert yielded.detail == refused.value.detail
    with pytest.raises(BadRequest):
        predictor.preprocess(image)
    assert caplog.records == []


def test_r11_a_file_that_cannot_be_read_is_the_same_everywhere(predictor, tmp_path):
    missing = tmp_path / "none.jpg"
    for ask in (predictor.predict, predictor.preprocess):
        with pytest.raises(BadRequest) as refused:
            ask(missing)
        assert refused.value.code == "unreadable_file"
    [yielded] = predictor.predict_many([missing])
    assert (yielded.code, yielded.detail) == (refused.value.code, refused.value.detail)


@pytest.mark.timeout(60)
def test_r04_files_without_an_end_are_not_read(predictor, tmp_path):
    """/dev/zero took 23 GB, and a FIFO hung for ever."""
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", tmp_path / "fifo"):
        with pytest.raises(BadRequest, match="not a regular file"):
            predictor.predict(path)
        with pytest.raises(BadRequest, match="not a regular file"):
            predictor.preprocess(path)


def test_r04_files_are_as_large_as_bodies_at_most(chelsea_jpeg, tmp_path):
    path, size = tmp_path / "cat.jpg", len(chelsea_jpeg)
    path.write_bytes(chelsea_jpeg)
    with (
        Predictor(settings=Settings(body=BodySettings(max_bytes=size - 1))) as made,
        pytest.raises(BodyTooLarge, match=f"{size} bytes; body.max_bytes allows {size - 1}"),
    ):
        made.predict(path)
    with Predictor(settings=Settings(body=BodySettings(max_bytes=size))) as made:
        assert made.predict(path).predictions[0].label == "tiger cat"


FORKS = r"""
import os, sys, warnings
from photic import Predictor
from photic.errors import Unavailable

warnings.simplefilter("ignore", DeprecationWarning)  # of 3.12: a process with threads is forked
predictor, image = Predictor(), open(sys.argv[1], "rb").read()
many = predictor.predict_many([image] * 20)
next(many)
reader, writer = os.pipe()
if os.fork() == 0:
    for ask in (lambda: predictor.predict(image), lambda: list(many)):
        try:
            ask()
        except Unavailable as error:
            os.write(writer, f"{error.detail}\n".encode())
    predictor.close()
    del predictor, many
    os._exit(0)  # as multiprocessing does; ONNX Runtime hangs in exit() of a forked child
os.close(writer)
print(os.wait()[1], open(reader).read(), predictor.predict(image, top_k=1).predictions[0].label)
"""


@pytest.mark.timeout(60)
def test_r11_a_forked_child_is_told_to_make_its_own(chelsea_jpeg, tmp_path):
    """It waited for ever for threads that only its parent has."""
    path = tmp_path / "cat.jpg"
    path.write_bytes(chelsea_jpeg)
    done = subprocess.run(
        [sys.executable, "-c", FORKS, str(path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert done.stderr == ""
    first, second, last = done.stdout.splitlines()
    assert first.startswith("0 this predictor belongs to process ")
    assert second in first
    assert last.strip() == "tiger cat"
