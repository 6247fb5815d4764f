"""What all rivals share: the model, its labels, and the answer."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

__all__ = ["MODEL", "Prediction", "labels", "session", "top_5"]

FOLDER = Path(__file__).parents[3] / "src/photic/models/embedded/efficientnet-lite0"
MODEL = FOLDER / "1/model.onnx"

Prediction = dict[str, int | str | float]


def labels() -> list[str]:
    """In the order of the classes."""
    return (FOLDER / "labels.txt").read_text(encoding="utf-8").splitlines()


def session(threads: int, *, spinning: bool = False) -> onnxruntime.InferenceSession:
    """The model on this many threads, warmed up.

    Args:
        threads: Of one run.
        spinning: Whether they spin between the operators of a run; never after it.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "1" if spinning else "0")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    made = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
    for _ in range(3):
        made.run(None, {"input": np.zeros((1, 3, 224, 224), np.float32)})
    return made


def top_5(logits: NDArray[np.float32], names: list[str]) -> list[Prediction]:
    """The five best classes of one row of logits, with their softmax."""
    best = np.argpartition(logits, -5)[-5:]
    best = best[np.argsort(logits[best])[::-1]]
    scores = np.exp(logits - logits[best[0]])
    scores /= scores.sum()
    return [
        {"index": index, "label": names[index], "score": float(scores[index])}
        for index in best.tolist()
    ]
