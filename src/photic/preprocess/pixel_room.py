"""Room for a limited number of pixels that are being decoded at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock

__all__ = ["PixelRoom"]


class PixelRoom:
    """Lets images in while their pixels fit together, in the order in which they came.

    Many small images are decoded at once, and the largest allowed one only alone, so that memory
    is bounded as if there were one at a time.
    """

    def __init__(self) -> None:
        self._pixels = 0
        self._left = Condition()
        self._door = Lock()

    @contextmanager
    def enter(self, pixels: int, limit: int) -> Iterator[None]:
        """Wait until ``pixels`` fit below ``limit`` beside the others, then hold that room.

        An image larger than the limit is let in when it is alone.
        """
        # Who waits holds the door shut, so later small images cannot overtake a large one for ever.
        with self._door, self._left:
            self._left.wait_for(lambda: self._pixels == 0 or self._pixels + pixels <= limit)
            self._pixels += pixels
        try:
            yield
        finally:
            with self._left:
                self._pixels -= pixels
                self._left.notify()
