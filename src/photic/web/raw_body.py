"""A raw body in one piece."""

__all__ = ["RawBody"]


class RawBody:
    """Chunks into one buffer of the announced size: one copy, and none when a single chunk came."""

    __slots__ = ("_buffer", "_chunks", "_filled", "_size")

    def __init__(self, announced: int | None) -> None:
        self._size = announced
        self._chunks: list[bytes] = []
        self._buffer: bytearray | None = None
        self._filled = 0

    def write(self, chunk: bytes) -> None:
        """Take the next chunk."""
        if self._size is None or len(chunk) == self._size:
            self._chunks.append(chunk)
            return
        if self._buffer is None:
            self._buffer = bytearray(self._size)
        self._buffer[self._filled : self._filled + len(chunk)] = chunk
        self._filled += len(chunk)

    def whole(self) -> bytes | bytearray:
        """All bytes that came."""
        if self._buffer is not None:
            return self._buffer
        return self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
