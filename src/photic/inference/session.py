"""An ONNX file to ONNX Runtime sessions."""

import functools
from pathlib import Path
from typing import Final

import onnxruntime as ort

from photic.errors import ModelFileError

__all__ = ["load_description", "load_optimised", "load_session", "plain_message", "save_optimised"]

_FATAL: Final = 4
"""ORT raises what it would log as an error, so the log would only say it twice."""

_SPIN_US: Final = 20
"""Longer than the gaps within a run; so short that a core that is taken costs little."""

_WEIGHTS: Final = "weights.bin"
_SAME_AS_REQUESTED: Final = 1
"""The arena grows by what is asked for; by default it doubles each time."""


def load_session(path: Path, *, intra_op_threads: int) -> ort.InferenceSession:
    """Load a model for the CPU; a thread that waits for another one sleeps.

    One node at a time, on ``intra_op_threads`` threads, the calling one included.

    Raises:
        ModelFileError: The file is missing, empty, cut, no ONNX model, or of an unknown opset.
    """
    return _load(path, _options(intra_op_threads))


def load_description(path: Path) -> ort.InferenceSession:
    """Load a model only to ask what it takes and gives: not optimised, so sooner.

    Raises:
        ModelFileError: As for ``load_session``.
    """
    options = _options(1)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    return _load(path, options)


def save_optimised(path: Path, folder: Path) -> Path:
    """Save a model as ORT runs it on this CPU, the weights in a file beside it; the model's path.

    Raises:
        ModelFileError: As for ``load_session``; or there is no room.
    """
    saved = folder / "model.onnx"
    options = _options(1)
    options.optimized_model_filepath = str(saved)
    entry = "session.optimized_model_external_initializers_file_name"
    options.add_session_config_entry(entry, _WEIGHTS)
    _load(path, options)
    return saved


def load_optimised(
    path: Path, *, intra_op_threads: int, spinning: bool = False
) -> ort.InferenceSession:
    """Load what ``save_optimised`` saved; the weights are mapped, not read.

    Args:
        path: What ``save_optimised`` returned.
        intra_op_threads: Threads of each run.
        spinning: Whether a thread of a run that waits for another one polls for a few microseconds
            before it sleeps. For runs that have the cores for themselves: else it takes them from
            others.

    Raises:
        ModelFileError: It cannot be loaded.
    """
    options = _options(intra_op_threads, spinning=spinning)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    if spinning:
        options.add_session_config_entry("session.intra_op.spin_duration_us", str(_SPIN_US))
        options.add_session_config_entry("session.force_spinning_stop", "1")
    return _load(path, options)


def _options(intra_op_threads: int, *, spinning: bool = False) -> ort.SessionOptions:
    _register_arena()
    options = ort.SessionOptions()
    options.intra_op_num_threads = intra_op_threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = _FATAL
    options.add_session_config_entry("session.intra_op.allow_spinning", str(int(spinning)))
    options.add_session_config_entry("session.use_env_allocators", "1")
    return options


@functools.cache
def _register_arena() -> None:
    """One arena for all sessions of the process, so that they use the same memory in turn."""
    memory = ort.OrtMemoryInfo(
        "Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT
    )
    growth = ort.OrtArenaCfg({"arena_extend_strategy": _SAME_AS_REQUESTED})
    ort.create_and_register_allocator(memory, growth)


def _load(path: Path, options: ort.SessionOptions) -> ort.InferenceSession:
    _check_file(path)
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
