"""Each dispatch target can be forced, and all of them make the same rows."""

import numpy as np
import pytest

from oracle.photos import jpeg, photo, resized
from photic.preprocess._native import force_target, native_info

TARGETS = native_info()["targets"]


@pytest.fixture(autouse=True)
def choice_restored():
    yield
    force_target(None)


def test_the_best_target_is_chosen():
    info = native_info()
    assert info["target"] == info["targets"][0]
    assert info["targets"][-1] == "baseline"
    assert info["libjpeg_turbo"].count(".") >= 1


@pytest.mark.parametrize("name", ["sse9", "", "AVX2"])
def test_an_unknown_target_is_refused(name):
    with pytest.raises(ValueError, match="no target"):
        force_target(name)
    assert native_info()["target"] == TARGETS[0]


@pytest.mark.parametrize("filter_", ["bilinear", "bicubic"])
@pytest.mark.parametrize("width", [90, 300, 451, 1200, 3000])
def test_all_targets_agree(decode, filter_, width):
    data = jpeg(resized(photo("rocket"), width, width * 3 // 4))
    rows = []
    for target in TARGETS:
        force_target(target)
        assert native_info()["target"] == target
        rows.append(decode(data, filter=filter_))
    for row in rows[1:]:
        assert np.abs(row - rows[0]).max() <= 1e-3
