"""An ONNX file to an ONNX Runtime session."""

from pathlib import Path
from typing import Final

import onnxruntime as ort

from photic.errors import ModelFileError

__all__ = ["load_session", "plain_message"]

_FATAL: Final = 4
"""ORT raises what it would log as an error, so the log would only say it twice."""


def load_session(path: Path, *, intra_op_threads: int) -> ort.InferenceSession:
    """Load a model for the CPU.

    Spinning is off: a waiting ORT thread that spins takes the core from a decode.
    One node at a time, on ``intra_op_threads`` threads, the calling one included.

    Raises:
        ModelFileError: The file is missing, empty, cut, no ONNX model, or of an unknown opset.
    """
    _check_file(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = intra_op_threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = _FATAL
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 -- ORT's exceptions have no common base but this
        raise ModelFileError(f"{path}: cannot load the model: {plain_message(error)}") from None


def plain_message(error: BaseException) -> str:
    """What an exception of ORT says, as one line without its codes and the path it repeats."""
    first_line = next(iter(str(error).splitlines()), type(error).__name__)
    message = first_line.removeprefix("[ONNXRuntimeError] : ").rpartition("failed:")[2]
    return message.strip() or first_line


def _check_file(path: Path) -> None:
    """Errors of the file system in plain words; ORT calls most of them "system error"."""
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise ModelFileError(f"{path}: cannot read the model: {error.strerror}") from None
    if empty:
        raise ModelFileError(f"{path}: the model file is empty")
