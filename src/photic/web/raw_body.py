"""A raw body in one piece."""

__all__ = ["RawBody"]


class RawBody:
    """Chunks into one buffer of the announced size: one copy, and none when a single chunk came.

    A body of unknown size makes its buffer grow; keeping its chunks instead would leave the heap in
    small pieces that are never given back.
    """

    __slots__ = ("_buffer", "_filled", "_only_chunk", "_size")

    def __init__(self, announced: int | None) -> None:
        self._size = announced
        self._only_chunk: bytes | None = None
        self._buffer = bytearray()
        self._filled = 0

    def write(self, chunk: bytes) -> None:
        """Take the next chunk."""
        if self._size is None:
            self._buffer += chunk
        elif len(chunk) == self._size:
            self._only_chunk = chunk
        else:
            if not self._buffer:
                self._buffer = bytearray(self._size)
            self._buffer[self._filled : self._filled + len(chunk)] = chunk
            self._filled += len(chunk)

    def whole(self) -> bytes | bytearray:
        """All bytes that came."""
        return self._buffer if self._only_chunk is None else self._only_chunk
