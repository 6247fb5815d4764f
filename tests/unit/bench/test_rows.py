"""The rows of the rivals against the oracle: they must do the whole work, and do it right."""

import numpy as np
import pytest

from bench.peers.rows import all_rows
from oracle import normalisation, pillow_rows
from oracle.photos import jpeg, photo, resized
from oracle.recipes import LITE0

ROWS = all_rows()
LEVELS = 128.0


def expected(data):
    return normalisation.row(pillow_rows.levels_of(data, LITE0), LITE0)


def levels_off(name, data) -> float:
    row = ROWS[name](data)
    assert row.shape == (3, 224, 224)
    assert row.dtype == np.float32
    assert row.flags.c_contiguous
    return float(np.abs(row - expected(data)).mean()) * LEVELS


@pytest.mark.parametrize("size", [(640, 427), (301, 500), (224, 224)])
@pytest.mark.parametrize("orientation", [1, 6])
def test_pillow_is_the_oracles(size, orientation):
    data = jpeg(resized(photo("coffee"), *size), orientation=orientation)
    assert levels_off("pillow", data) < 1e-4


@pytest.mark.parametrize("name", ["pillow_box", "pillow_draft"])
def test_a_box_and_a_draft_are_nearly_the_same(name):
    data = jpeg(resized(photo("china"), 1_280, 853), orientation=3)
    assert levels_off(name, data) < 0.5


@pytest.mark.parametrize("name", sorted(ROWS.keys() - {"pillow", "pillow_box", "pillow_draft"}))
def test_the_others_are_near(name):
    data = jpeg(resized(photo("chelsea"), 800, 532))
    assert levels_off(name, data) < 4.0
