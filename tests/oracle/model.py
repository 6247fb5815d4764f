"""The embedded model through ONNX Runtime itself, for rows of whichever side."""

from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

import photic

FOLDER = Path(photic.__file__).parent / "models/embedded/efficientnet-lite0"


@cache
def session() -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(FOLDER / "1/model.onnx", providers=["CPUExecutionProvider"])


@cache
def labels() -> tuple[str, ...]:
    return tuple((FOLDER / "labels.txt").read_text(encoding="utf-8").splitlines())


def top_1(row: NDArray[np.floating]) -> int:
    """The class of the highest logit for one [3, 224, 224] row."""
    (logits,) = session().run(None, {"input": row[None].astype(np.float32)})
    return int(np.argmax(logits[0]))
