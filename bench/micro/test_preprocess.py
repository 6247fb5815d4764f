"""From a JPEG's bytes to a normalised row, one thread: Photic and what people write instead."""

import msgspec
import numpy as np
import pytest

from oracle.recipes import LITE0
from oracle.rivals import all_rivals
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

RIVALS = all_rivals()


@pytest.mark.benchmark(group="preprocess")
@pytest.mark.parametrize("decode", ["exact", "balanced", "fast"])
def test_photic(timed, decode):
    preprocessor = Preprocessor(msgspec.structs.replace(LITE0, decode=decode), DecodeSettings())
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    timed(lambda data: preprocessor.into(data, row))


@pytest.mark.benchmark(group="preprocess")
@pytest.mark.parametrize("rival", RIVALS)
def test_rival(timed, rival):
    timed(RIVALS[rival])
