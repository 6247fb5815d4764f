"""Embedding: the output as it is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from photic.postprocess.prediction import Prediction

__all__ = ["Embedding"]


class Embedding:
    """Gives each row of output back as plain numbers."""

    def __call__(self, outputs: NDArray[np.float32], top_k: Sequence[int]) -> list[Prediction]:
        """Predictions of a batch.

        Args:
            outputs: [n, width].
            top_k: Without meaning here.
        """
        del top_k
        return [Prediction(embedding=tuple(row)) for row in outputs.tolist()]
