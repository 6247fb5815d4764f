"""Images that wait for room to be decoded in do not hold the threads that others need."""

import io
import threading

import numpy as np
import pytest
from PIL import Image

from batching_fakes import PATIENCE_S
from photic import Predictor
from photic.preprocess import other_formats
from photic.settings import CpuSettings, DecodeSettings, Settings

LIMIT = DecodeSettings().max_other_pixels


@pytest.fixture
def predictor():
    with Predictor(settings=Settings(cpu=CpuSettings(cpus=2))) as made:
        yield made


@pytest.fixture(scope="module")
def png() -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.zeros((64, 64, 3), np.uint8)).save(file, "PNG")
    return file.getvalue()


def in_background(predictor, images):
    """Start to predict them; their answers, and a thread to join."""
    answers = []
    thread = threading.Thread(target=lambda: answers.extend(predictor.predict_many(images)))
    thread.start()
    return answers, thread


def test_r01_jpegs_are_answered_while_images_in_other_formats_find_no_room(
    predictor, png, chelsea_jpeg
):
    """Each of them held a worker: with as many of them as workers, no JPEG was answered."""
    with other_formats._ROOM.enter(LIMIT, LIMIT):
        answers, thread = in_background(predictor, [png] * 4)
        labels = [predictor.predict(chelsea_jpeg).predictions[0].label for _ in range(10)]
        assert labels == ["tiger cat"] * 10
        assert answers == []
    # Room that a strange thread left is found all the same.
    thread.join(PATIENCE_S)
    assert len(answers) == 4
    assert all(answer.predictions for answer in answers)
