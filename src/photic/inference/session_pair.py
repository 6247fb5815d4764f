"""The sessions of one model: one for several runs at once, one for a lone row on all cores."""

import logging
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import onnxruntime as ort

from photic.errors import ModelFileError
from photic.inference.session import load_optimised, load_session, save_optimised

__all__ = ["SessionPair", "load_pair"]

_log = logging.getLogger(__name__)


class SessionPair(NamedTuple):
    """See docs/adr/0007-load-adaptive-execution.md."""

    throughput: ort.InferenceSession
    latency: ort.InferenceSession | None
    """None: a lone row runs in the other one, too."""


def load_pair(path: Path, *, intra_op_threads: int, latency_threads: int) -> SessionPair:
    """Load a model once or twice.

    Two sessions share the weights: the model is optimised once and saved to a temporary folder,
    and both map the same file of weights, which lives on without a name. Where that does not work
    (no folder, no room, a model that ORT cannot save), there is one session only.

    Args:
        path: The ONNX file.
        intra_op_threads: Threads of each run in the session for several runs at once.
        latency_threads: Threads of a run in the session for a lone row; 1: no such session.

    Raises:
        ModelFileError: The file is missing, empty, cut, no ONNX model, or of an unknown opset.
    """
    if latency_threads == 1:
        return SessionPair(load_session(path, intra_op_threads=intra_op_threads), None)
    try:
        with TemporaryDirectory(prefix="photic-") as folder:
            saved = save_optimised(path, Path(folder))
            return SessionPair(
                load_optimised(saved, intra_op_threads=intra_op_threads),
                load_optimised(saved, intra_op_threads=latency_threads, spinning=True),
            )
    except (OSError, ModelFileError) as error:
        only = load_session(path, intra_op_threads=intra_op_threads)  # or tells what is wrong
        _log.warning("%s: no session for lone requests: %s", path, error)
        return SessionPair(only, None)
