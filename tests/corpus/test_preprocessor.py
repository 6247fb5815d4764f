"""Every upload through the preprocessor: the right answer, twice, in time, in its colours."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from corpus.policy import OK, SERVED_KINDS, permitted
from corpus.uploads import UPLOADS, each_upload
from oracle import normalisation
from oracle.recipes import LITE0
from photic.errors import ImageError
from photic.models.recipe import InputRecipe
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

SERVED = [upload for upload in UPLOADS if permitted(upload) == {OK}]
each_jpeg = pytest.mark.parametrize(
    "upload", [u for u in SERVED if u.kind not in SERVED_KINDS], ids=lambda upload: upload.name
)
each_seen = pytest.mark.parametrize(
    "upload", [upload for upload in SERVED if upload.topleft_rgb], ids=lambda upload: upload.name
)
"""Those that Pillow decodes too, so that the MANIFEST knows their colours."""


@pytest.fixture(scope="module")
def preprocessor():
    return Preprocessor(LITE0, DecodeSettings())


@pytest.fixture(scope="module")
def upload_named():
    return {upload.name: upload for upload in UPLOADS}.__getitem__


def answer(preprocessor, data):
    """The outcome's word, and the row's bytes or the error's detail."""
    row = np.full(preprocessor.shape, np.nan, preprocessor.dtype)
    try:
        preprocessor.into(data, row)
    except ImageError as error:
        return error.code, error.detail
    assert np.isfinite(row).all(), "a part of the row was never written"
    return OK, row.tobytes()


@each_upload
def test_answers_as_the_manifest_says(preprocessor, upload):
    word, content = answer(preprocessor, upload.data)
    assert word in permitted(upload), content
    again, repeated = answer(preprocessor, upload.data)
    assert again == word
    assert word != OK or repeated == content


@each_upload
def test_never_takes_two_seconds(preprocessor, upload):
    """In CPU time of this thread, so that a busy machine does not matter."""
    start = time.thread_time()
    answer(preprocessor, upload.data)
    assert time.thread_time() - start < 2.0


@pytest.mark.skipif(not UPLOADS, reason="the corpus is not here")
def test_answers_the_same_in_many_threads(preprocessor):
    """Each thread begins elsewhere, so good uploads meet bad ones in every mixture."""
    alone = {upload.name: answer(preprocessor, upload.data) for upload in UPLOADS}
    orders = [UPLOADS[step:] + UPLOADS[:step] for step in range(0, len(UPLOADS), 69)]

    def answers(order):
        return {upload.name: answer(preprocessor, upload.data) for upload in order}

    with ThreadPoolExecutor(len(orders)) as pool:
        together = list(pool.map(answers, orders))
    for found in together:
        changed = {name for name in alone if not same(found[name], alone[name])}
        assert changed == set()


def same(one, other) -> bool:
    """Rows to the bit; errors by their word, since a detail may tell a time."""
    return one == other if one[0] == OK else one[0] == other[0]


@each_jpeg
def test_declares_size_and_orientation(preprocessor, upload):
    info = preprocessor.into(upload.data, np.empty(preprocessor.shape, preprocessor.dtype))
    assert (info.width, info.height) == upload.size
    assert info.orientation == upload.orientation


@pytest.mark.skipif(not UPLOADS, reason="the corpus is not here")
def test_scans_are_counted_where_pixels_are_allowed(upload_named):
    """319 kB that cost libjpeg half a minute."""
    preprocessor = Preprocessor(LITE0, DecodeSettings(max_pixels=100_000_000))
    word, _ = answer(preprocessor, upload_named("syn_scanbomb_8000_2000scans.jpg").data)
    assert word == "too_many_scans"


@pytest.mark.skipif(not UPLOADS, reason="the corpus is not here")
def test_large_photos_may_be_refused_by_a_lower_limit(upload_named):
    preprocessor = Preprocessor(LITE0, DecodeSettings(max_pixels=16_000_000))
    word, detail = answer(
        preprocessor, upload_named("large_valid__image-size__very-large.jpg").data
    )
    assert word == "too_many_pixels"
    assert "16000000" in detail
    assert "4800" in detail


@each_seen
@pytest.mark.parametrize("decode", ["exact", "balanced"])
def test_shows_the_upright_image_in_its_colours(upload, decode):
    """Means of the whole and of its top left (a quarter of each side): a turned or
    negative image fails.
    """
    width, height = (min(side, 256) for side in upload.upright_size)
    recipe = InputRecipe(size=(height, width), fit="stretch", pixel_range=255.0, decode=decode)
    preprocessor = Preprocessor(recipe, DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    preprocessor.into(upload.data, row)
    levels = normalisation.levels(row, recipe)
    assert levels.mean(axis=(0, 1)) == pytest.approx(upload.mean_rgb, abs=3.0)
    quarter = levels[: max(1, height // 4), : max(1, width // 4)]
    assert quarter.mean(axis=(0, 1)) == pytest.approx(upload.topleft_rgb, abs=4.0)
