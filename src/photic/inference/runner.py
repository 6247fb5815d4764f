"""Runs batches of rows through a session."""

from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from photic.errors import InferenceFailed
from photic.inference.session import plain_message
from photic.inference.signature import ImageInput, RowOutput

__all__ = ["Runner"]


class Runner:
    """One session. Any number of threads may run it at once.

    Attributes:
        taken: The model's input.
        given: Its output.
    """

    def __init__(self, session: ort.InferenceSession, taken: ImageInput, given: RowOutput) -> None:
        self.taken = taken
        self.given = given
        self._session = session

    def run(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """Infer one batch, without the GIL and without copying the input.

        Args:
            rows: [n, *row shape] of the input's dtype, C-contiguous.

        Returns:
            [n, width] float32. Values may be NaN or infinite.

        Raises:
            InferenceFailed: ORT failed, or the output has another shape.
        """
        output: NDArray[np.float32]
        try:
            [output] = self._session.run([self.given.name], {self.taken.name: rows})
        except Exception as error:
            detail = f"the model failed on a batch of {len(rows)}: {plain_message(error)}"
            raise InferenceFailed(detail) from error
        self._check_shape(output.shape, len(rows))
        return output

    def _check_shape(self, shape: tuple[int, ...], rows: int) -> None:
        expected = (rows, self.given.width or shape[-1])
        if shape != expected:
            raise InferenceFailed(
                f"output '{self.given.name}' is {list(shape)} for a batch of {rows}; "
                f"it should be {list(expected)}"
            )
