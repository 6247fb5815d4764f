"""The Python API on the embedded model and real photos."""

import concurrent.futures
import doctest
import gc
import subprocess
import sys
import threading

import numpy as np
import pytest

import photic.predictor
from oracle.photos import LABELS, jpeg, photo
from photic import Predictor
from photic.errors import BadRequest, ImageError, ModelFileError, RequestError, Unavailable
from photic.settings import BatchingSettings, DecodeSettings, ModelSettings, Settings

INDICES = {"chelsea": 282, "coffee": 967, "rocket": 657, "china": 698, "flower": 985}
NAMES = tuple(INDICES)


@pytest.fixture(scope="module")
def predictor():
    with Predictor() as made:
        yield made


@pytest.fixture(scope="module")
def batching():
    """The same model in batches of up to 4, with a delay that makes them full."""
    settings = Settings(batching=BatchingSettings(preferred_batch=4, max_queue_delay_ms=200))
    with Predictor(settings=settings) as made:
        yield made


@pytest.fixture(scope="module")
def jpegs() -> dict[str, bytes]:
    return {name: jpeg(photo(name)) for name in NAMES}


def best(answer) -> tuple[int, str]:
    assert not isinstance(answer, RequestError), answer
    return answer.predictions[0].index, answer.predictions[0].label


def scores(answer) -> list[float]:
    """By class."""
    return [c.score for c in sorted(answer.predictions, key=lambda c: c.index)]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_label(predictor, jpegs, name):
    assert best(predictor.predict(jpegs[name])) == (INDICES[name], LABELS[name])


def test_an_answer_is_complete(predictor, jpegs):
    answer = predictor.predict(jpegs["coffee"], top_k=1000)
    assert (answer.model, answer.version, answer.variant) == ("efficientnet-lite0", 1, "fp32")
    values = [c.score for c in answer.predictions]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(1.0, abs=1e-5)
    assert sorted(c.index for c in answer.predictions) == list(range(1000))
    assert {c.label for c in answer.predictions} == set(predictor.bundle.labels)


def test_bytes_paths_and_pixels_are_the_same_image(predictor, tmp_path, jpegs):
    data = jpegs["chelsea"]
    path = tmp_path / "cat.bin"
    path.write_bytes(data)
    answers = [
        predictor.predict(image)
        for image in (data, bytearray(data), memoryview(data), path, str(path))
    ]
    assert all(answer == answers[0] for answer in answers)
    assert best(predictor.predict(photo("chelsea"))) == (282, "tiger cat")
    assert best(predictor.predict(photo("chelsea")[:, ::-1])) == (282, "tiger cat")  # strided


def test_the_default_number_of_classes_is_a_setting(predictor, jpegs):
    assert len(predictor.predict(jpegs["flower"]).predictions) == 5
    settings = Settings(models=ModelSettings(top_k=2))
    with Predictor(settings=settings) as made:
        assert len(made.predict(jpegs["flower"]).predictions) == 2


@pytest.mark.parametrize("top_k", [0, 1001])
def test_top_k_out_of_range(predictor, jpegs, top_k):
    with pytest.raises(BadRequest, match="from 1 to 1000"):
        predictor.predict(jpegs["flower"], top_k=top_k)
    with pytest.raises(BadRequest, match="from 1 to 1000"):
        predictor.predict_many([], top_k=top_k)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((1, 4, 4, 3), np.uint8),
    ],
    ids=lambda pixels: f"{pixels.shape} {pixels.dtype}",
)
def test_arrays_that_are_no_pixels(predictor, pixels):
    with pytest.raises(BadRequest, match=r"pixels are \[height, width, 3\] uint8, not"):
        predictor.predict(pixels)


def test_a_bad_image_says_why(predictor, jpegs):
    with pytest.raises(ImageError) as refused:
        predictor.predict(jpegs["china"][:20_000])
    assert refused.value.code == "truncated"


def test_limits_come_from_the_settings(jpegs):
    with (
        Predictor(settings=Settings(decode=DecodeSettings(max_pixels=1000))) as made,
        pytest.raises(ImageError) as refused,
    ):
        made.predict(jpegs["china"])
    assert refused.value.code == "too_many_pixels"


def test_many_in_order_with_the_errors_among_them(predictor, jpegs, tmp_path):
    images = [
        jpegs["chelsea"],
        tmp_path / "none.jpg",
        jpegs["coffee"],
        b"GIF89a" + bytes(100),
        np.zeros((4, 4), np.uint8),
        jpegs["rocket"],
    ]
    cat, missing, cup, gif, gray, missile = predictor.predict_many(images)
    assert [best(answer)[0] for answer in (cat, cup, missile)] == [282, 967, 657]
    assert (missing.code, missing.detail) == (
        "unreadable_file",
        f"{tmp_path / 'none.jpg'}: No such file or directory",
    )
    assert gif.code == "not_jpeg"
    assert isinstance(gray, BadRequest)


def test_many_are_read_as_the_answers_are_taken(predictor, jpegs):
    read: list[int] = []

    def images():
        for number in range(100):
            read.append(number)
            yield jpegs[NAMES[number % 5]]

    answers = predictor.predict_many(images())
    assert read == []
    assert best(next(answers))[0] == 282
    assert 1 <= len(read) <= predictor._max_in_flight + 1 < 50
    answers.close()  # what is in flight is given up; the predictor goes on
    assert best(predictor.predict(jpegs["coffee"]))[0] == 967


def test_b08_a_batch_with_a_bad_image_answers_as_single_images_do(predictor, batching, jpegs):
    """31 good ones and a corrupt one, in every position of a batch; each its own answer."""
    singles = {name: predictor.predict(jpegs[name], top_k=1000) for name in NAMES}
    names = [NAMES[number % 5] for number in range(31)]
    for position in (0, 9, 18, 31):
        images = [jpegs[name] for name in names]
        images.insert(position, jpegs["china"][:20_000])
        answers = list(batching.predict_many(images, top_k=1000))
        assert answers.pop(position).code == "truncated"
        for name, answer in zip(names, answers, strict=True):
            assert best(answer) == best(singles[name])
            np.testing.assert_allclose(scores(answer), scores(singles[name]), atol=1e-4)
    sizes = batching._service.counts(batching._engine).batch_sizes
    assert sizes.index(max(sizes)) == 4


def test_any_number_of_threads_may_use_it(batching, jpegs):
    expected = {name: best(batching.predict(jpegs[name])) for name in NAMES}
    together = threading.Barrier(6, timeout=30)

    def work(start: int) -> list[bool]:
        together.wait()
        names = [NAMES[(start + step) % 5] for step in range(5)]
        return [best(batching.predict(jpegs[name])) == expected[name] for name in names]

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(all(right) for right in pool.map(work, range(6)))


def test_the_row_is_what_the_model_sees(predictor, jpegs):
    row = predictor.preprocess(jpegs["chelsea"])
    assert (row.shape, row.dtype) == ((3, 224, 224), np.float32)
    assert -127 / 128 <= row.min() < row.max() <= 1.0
    outputs = predictor._engine._runner.run(row[np.newaxis])
    assert outputs.argmax() == 282


def test_exact_is_another_decode_of_the_same_image(predictor):
    large = jpeg(np.repeat(np.repeat(photo("china"), 3, axis=0), 3, axis=1))
    balanced, exact = predictor.preprocess(large), predictor.preprocess(large, exact=True)
    difference = np.abs(balanced - exact) * 128
    assert 0 < difference.mean() < 1.0  # levels


def test_after_close_it_refuses(jpegs):
    made = Predictor()
    made.close()
    made.close()
    with pytest.raises(Unavailable, match="this predictor is closed"):
        made.predict(jpegs["chelsea"])
    assert made.preprocess(jpegs["chelsea"]).shape == (3, 224, 224)


def test_a_forgotten_predictor_leaves_no_threads():
    before = threading.active_count()
    made = Predictor()
    assert threading.active_count() > before
    del made
    gc.collect()
    assert threading.active_count() == before


def test_a_script_that_does_not_close_ends_cleanly():
    program = "import photic, numpy; p = photic.Predictor(); print(p.bundle.name)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("efficientnet-lite0\n", "")


def test_unknown_models_are_one_line(tmp_path):
    with pytest.raises(ModelFileError, match="there is no model `resnet`"):
        Predictor("resnet")
    with pytest.raises(ModelFileError, match="no such model repository"):
        Predictor("resnet", repository=tmp_path / "none")


def test_the_example_in_the_documentation():
    results = doctest.testmod(photic.predictor)
    assert (results.attempted > 5, results.failed) == (True, 0)
