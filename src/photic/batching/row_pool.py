"""A fixed pool of rows (model inputs for one image), allocated once and reused for ever."""

import heapq
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIGNMENT", "RowPool"]

ALIGNMENT: Final = 64
"""Bytes: a cache line, and the widest vector register."""


class RowPool:
    """``capacity`` rows, each aligned to 64 bytes. Not thread-safe: the batcher's lock guards it.

    The free row with the lowest index is handed out first, so the rows of a batch are usually
    neighbours and ORT reads them where they are. Deadlines, failures and decodes that finish out
    of order break that up at times; then ``gather`` copies (0.6 MB, well under 0.1 ms a row)
    instead of making a decode wait for a certain row.
    """

    def __init__(self, capacity: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._rows = _aligned_rows(capacity, shape, dtype)
        self._free = list(range(capacity))
        self._taken = bytearray(capacity)

    @property
    def free(self) -> int:
        """How many rows are free."""
        return len(self._free)

    def acquire(self) -> int:
        """Take a free row and return its index.

        Raises:
            IndexError: There is none.
        """
        index = heapq.heappop(self._free)
        self._taken[index] = True
        return index

    def release(self, index: int) -> None:
        """Give a row back.

        Raises:
            ValueError: It is not taken. Two owners of one row would mix two clients' images.
        """
        if not self._taken[index]:
            raise ValueError(f"row {index} is released twice")
        self._taken[index] = False
        heapq.heappush(self._free, index)

    def row(self, index: int) -> NDArray[Any]:
        """The memory of one row, of the pool's shape."""
        row: NDArray[Any] = self._rows[index]
        return row

    def gather(self, indices: Sequence[int], buffer: NDArray[Any] | None) -> NDArray[Any]:
        """Rows as one C-contiguous batch, [len(indices), *shape].

        Args:
            indices: In ascending order.
            buffer: Where they are copied to unless they are neighbours: at least as many rows,
                from ``batch_buffer``. Not needed for one row.

        Raises:
            ValueError: A buffer is needed and there is none.
        """
        first, count = indices[0], len(indices)
        batch = self._rows[first : first + count]
        if indices[-1] - first == count - 1 and batch.flags.c_contiguous:
            return batch
        if buffer is None:
            raise ValueError(f"rows {list(indices)} are not neighbours and there is no buffer")
        for position, index in enumerate(indices):
            buffer[position] = self._rows[index]
        return buffer[:count]

    def batch_buffer(self, count: int) -> NDArray[Any]:
        """Memory for ``gather`` of up to ``count`` rows; a worker keeps one of its own."""
        shape = self._rows.shape[1:]
        buffer: NDArray[Any] = _aligned_rows(1, (count, *shape), self._rows.dtype)[0]
        return buffer


def _aligned_rows(count: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """[count, *shape]; every row begins on a cache line, so odd sizes leave gaps between rows."""
    row_bytes = math.prod(shape) * dtype.itemsize
    stride = -(-row_bytes // ALIGNMENT) * ALIGNMENT
    memory = np.empty(count * stride + ALIGNMENT, dtype=np.uint8)
    offset = -memory.ctypes.data % ALIGNMENT
    inner = np.empty(shape, dtype=dtype).strides
    return np.ndarray((count, *shape), dtype, memory.data, offset, (stride, *inner))
