"""Room for a limited number of pixels that are being decoded at the same time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Condition, Lock
from typing import Final

from photic.errors import DecodeDeferred

__all__ = ["PixelRoom"]

_CLAIM_S: Final = 0.1
"""How long a claim lasts; who is still interested renews it, by asking whether there is room."""


class PixelRoom:
    """Lets images in while their pixels fit together.

    Many small images are decoded at once, and the largest allowed one only alone, so that memory
    is bounded as if there were one at a time.

    Nobody starves. Who waits is let in in the order of arrival, before anybody who came later. Who
    does not wait and is refused gets a claim for a while, if nobody has it: others are let in only
    beside that image, so that small ones cannot keep the room from ever getting empty enough.

    Args:
        clock: Seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pixels = 0
        self._waiting = 0
        self._claimed = 0
        self._claimed_until_s = 0.0
        self._left = Condition()
        self._door = Lock()

    @contextmanager
    def enter(self, pixels: int, limit: int, *, wait: bool = True) -> Iterator[None]:
        """Hold room for ``pixels`` below ``limit`` beside the others.

        An image larger than the limit is let in when it is alone.

        Args:
            pixels: How many.
            limit: For all in the room together.
            wait: Whether to wait for room.

        Raises:
            DecodeDeferred: There is no room, and ``wait`` is false.
        """
        if wait:
            self._wait(pixels, limit)
        else:
            self._try(pixels, limit)
        try:
            yield
        finally:
            with self._left:
                self._pixels -= pixels
                self._left.notify()

    def has_room(self, pixels: int, limit: int) -> bool:
        """Whether an image that was refused would be let in now; keeps its claim alive."""
        with self._left:
            self._claim(pixels)
            return self._fits(pixels, limit)

    def give_up(self, pixels: int) -> None:
        """An image that was refused is not wanted any more: its claim ends."""
        with self._left:
            if self._claimed == pixels:
                self._claimed = 0

    def _wait(self, pixels: int, limit: int) -> None:
        with self._left:
            self._waiting += 1
        try:
            # Who waits holds the door shut, so later small images cannot overtake a large one.
            with self._door, self._left:
                self._left.wait_for(lambda: self._pixels == 0 or self._pixels + pixels <= limit)
                self._pixels += pixels
        finally:  # a Ctrl-C may end the wait
            with self._left:
                self._waiting -= 1

    def _try(self, pixels: int, limit: int) -> None:
        with self._left:
            if not self._fits(pixels, limit):
                self._claim(pixels, renew=False)
                raise DecodeDeferred(
                    "pixel_room",
                    has_room=partial(self.has_room, pixels, limit),
                    give_up=partial(self.give_up, pixels),
                )
            if pixels == self._claimed:
                self._claimed = 0
            self._pixels += pixels

    def _fits(self, pixels: int, limit: int) -> bool:
        beside = self._pixels + self._claim_of_another(pixels)
        return not self._waiting and (beside == 0 or beside + pixels <= limit)

    def _claim(self, pixels: int, *, renew: bool = True) -> None:
        now_s = self._clock()
        if now_s >= self._claimed_until_s:
            self._claimed = 0
        if self._claimed == 0 or (renew and self._claimed == pixels):
            self._claimed = pixels
            self._claimed_until_s = now_s + _CLAIM_S

    def _claim_of_another(self, pixels: int) -> int:
        """The pixels that are claimed; images are told apart by their size alone."""
        expired = self._clock() >= self._claimed_until_s
        return 0 if expired or self._claimed == pixels else self._claimed
