"""The first runs of a model, before it is served: is it what it says it is?"""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from photic.errors import InferenceFailed, ModelFileError
from photic.inference.runner import Runner

__all__ = ["WarmUp", "agrees", "occupy", "warm_up"]

_log = logging.getLogger(__name__)

_SINGLES: Final = 2
"""Rows that are run singly; two, so that mixing them up shows."""
_TOLERANCE: Final = 0.01
"""Of the largest output: ORT sums in another order at another batch size or number of threads; a
mix-up is far above."""


class WarmUp(Struct, frozen=True):
    """What the first runs showed."""

    max_batch: int
    """The largest batch that gives what single runs give, at most the one asked for."""
    outputs: NDArray[np.float32]
    """[2, width], from noise."""
    infer_ns: int
    """How long a batch of ``max_batch`` took."""


def warm_up(runner: Runner, row_shape: tuple[int, ...], *, batch: int, source: str) -> WarmUp:
    """Run a model on noise, singly and, when it is to serve batches, in a batch.

    Models exported with "dynamic" batches may still have batch 1 baked in: in the input's shape, or
    in an inner Reshape where only a run shows it, by an error or by mixing the rows up. Those are
    served at batch 1.

    Args:
        runner: The model.
        row_shape: Shape of one row.
        batch: The largest batch that it is to serve.
        source: The model's file, for messages.

    Raises:
        ModelFileError: The model does not even run on one row.
    """
    rows = _noise((max(_SINGLES, batch), *row_shape), runner.taken.dtype)
    try:
        singles = np.concatenate([runner.run(rows[i : i + 1]) for i in range(_SINGLES)])
    except InferenceFailed as error:
        raise ModelFileError(f"{source}: the model does not run: {error.detail}") from None
    if not np.isfinite(singles).all():
        _log.warning("%s: the output for a test input has NaN or infinite values", source)
    reason = _why_no_batch(runner, rows[:batch], singles)
    if reason is not None:
        level = logging.INFO if batch == 1 else logging.WARNING
        _log.log(level, "%s: served one image at a time: %s", source, reason)
    max_batch = 1 if reason else batch
    return WarmUp(max_batch, singles, _infer_ns(runner, rows[:max_batch]))


def agrees(runner: Runner, row_shape: tuple[int, ...], *, warm: WarmUp, source: str) -> bool:
    """Warm up the session for lone rows on the same noise: does it give what the other one gave?

    Args:
        runner: That session.
        row_shape: Shape of one row.
        warm: What the other session showed.
        source: The model's file, for the warning when it does not.
    """
    rows = _noise((_SINGLES, *row_shape), runner.taken.dtype)
    try:
        singles = np.concatenate([runner.run(rows[i : i + 1]) for i in range(_SINGLES)])
    except InferenceFailed as error:
        reason = error.detail
    else:
        if _same(singles, warm.outputs):
            return True
        reason = "it gives other results than one thread"
    _log.warning("%s: no session for lone requests: %s", source, reason)
    return False


def occupy(runner: Runner, row_shape: tuple[int, ...], *, batch: int, runs: int) -> None:
    """Run several batches at once, so that the memory for it is there before the first requests.

    Args:
        runner: The model, warmed up.
        row_shape: Shape of one row.
        batch: Rows of each run.
        runs: How many at once.
    """
    rows = _noise((batch, *row_shape), runner.taken.dtype)
    with ThreadPoolExecutor(runs) as threads:
        list(threads.map(runner.run, [rows] * runs))


def _infer_ns(runner: Runner, rows: NDArray[Any]) -> int:
    begin_ns = time.monotonic_ns()
    runner.run(rows)
    return time.monotonic_ns() - begin_ns


def _why_no_batch(runner: Runner, rows: NDArray[Any], singles: NDArray[np.float32]) -> str | None:
    if runner.taken.fixed_batch == 1:
        return "its input has a fixed batch of 1"
    if len(rows) == 1:
        return None
    try:
        together = runner.run(rows)
    except InferenceFailed as error:
        return error.detail
    same = _same(together[:_SINGLES], singles)
    return None if same else f"a batch of {len(rows)} gives other results than single images"


def _same(outputs: NDArray[np.float32], expected: NDArray[np.float32]) -> bool:
    largest = np.nan_to_num(np.abs(expected), posinf=0.0).max()
    return np.allclose(outputs, expected, rtol=0.0, atol=_TOLERANCE * largest, equal_nan=True)


def _noise(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    random = np.random.default_rng(seed=0)
    if dtype == "uint8":
        return random.integers(0, 256, shape, dtype=np.uint8)
    return random.standard_normal(shape, dtype=np.float32)
