"""Threads are stepped with events; nothing sleeps."""

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from threading import Event

import pytest

from photic.preprocess.pixel_room import PixelRoom

SOON = 0.05
"""Seconds to see that something does not happen; a wrong room would let it happen at once."""


class Visitor:
    """Enters the room in a thread of its own and stays until it is told to leave."""

    def __init__(self, pool: ThreadPoolExecutor, room: PixelRoom, pixels: int, limit: int) -> None:
        self.inside = Event()
        self._leave = Event()
        self._done: Future[None] = pool.submit(self._visit, room, pixels, limit)

    def _visit(self, room: PixelRoom, pixels: int, limit: int) -> None:
        with room.enter(pixels, limit):
            self.inside.set()
            assert self._leave.wait(10)

    def leave(self) -> None:
        self._leave.set()
        self._done.result(10)

    def is_waiting(self) -> bool:
        return not self.inside.wait(SOON)


def test_small_images_share_the_room_and_a_large_one_waits() -> None:
    room = PixelRoom()
    with ThreadPoolExecutor(3) as pool:
        first, second = (Visitor(pool, room, 40, 100) for _ in range(2))
        assert first.inside.wait(10)
        assert second.inside.wait(10)
        large = Visitor(pool, room, 100, 100)
        assert large.is_waiting()
        first.leave()
        assert large.is_waiting()
        second.leave()
        assert large.inside.wait(10)
        large.leave()


def test_a_small_image_does_not_overtake_a_large_one() -> None:
    room = PixelRoom()
    with ThreadPoolExecutor(3) as pool:
        first = Visitor(pool, room, 60, 100)
        assert first.inside.wait(10)
        large = Visitor(pool, room, 50, 100)
        assert large.is_waiting()
        small = Visitor(pool, room, 10, 100)
        assert small.is_waiting()
        first.leave()
        assert large.inside.wait(10)
        assert small.inside.wait(10)
        large.leave()
        small.leave()


def test_an_error_inside_gives_the_room_back() -> None:
    room = PixelRoom()
    with pytest.raises(FutureTimeout), room.enter(100, 100):
        raise FutureTimeout
    with ThreadPoolExecutor(1) as pool:
        visitor = Visitor(pool, room, 100, 100)
        assert visitor.inside.wait(10)
        visitor.leave()


def test_what_is_larger_than_the_limit_enters_alone() -> None:
    room = PixelRoom()
    with room.enter(1000, 100):
        pass
