import numpy as np
from msgspec import UNSET

from photic.postprocess.embedding import Embedding


def test_rows_come_back_as_numbers():
    outputs = np.array([[0.5, -2.0], [0.25, 3.0]], np.float32)
    first, second = Embedding()(outputs, [5, 5])
    assert first.embedding == (0.5, -2.0)
    assert second.embedding == (0.25, 3.0)
    assert first.predictions is UNSET
