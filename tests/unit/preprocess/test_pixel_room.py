"""Threads are stepped with events; nothing sleeps."""

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from threading import Event

import pytest

from photic.errors import DecodeDeferred
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


class HandClock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def refused(room: PixelRoom, pixels: int, limit: int = 100) -> DecodeDeferred:
    with pytest.raises(DecodeDeferred) as deferred, room.enter(pixels, limit, wait=False):
        pytest.fail("it was let in")
    return deferred.value


def test_who_does_not_wait_is_refused_at_once_and_may_ask_for_room() -> None:
    room = PixelRoom(HandClock())
    with room.enter(40, 100, wait=False):
        with room.enter(60, 100, wait=False):
            deferral = refused(room, 30)
            assert not deferral.has_room()
        assert deferral.has_room()
        with room.enter(30, 100, wait=False):
            pass


def test_smaller_images_do_not_overtake_who_was_refused() -> None:
    """With 10 of 100 pixels always inside, 100 would never fit."""
    room = PixelRoom(HandClock())
    with room.enter(10, 100, wait=False):
        large = refused(room, 100)
        small = refused(room, 10)
        assert not large.has_room()
    assert not small.has_room()
    refused(room, 10)
    assert large.has_room()
    with room.enter(100, 100, wait=False):
        pass
    assert small.has_room()
    with room.enter(10, 100, wait=False), room.enter(90, 100, wait=False):
        pass


def test_beside_a_claim_there_may_be_room() -> None:
    room = PixelRoom(HandClock())
    with room.enter(60, 100, wait=False):
        refused(room, 50)
        refused(room, 10)
    with room.enter(45, 100, wait=False), room.enter(5, 100, wait=False):
        refused(room, 6)


def test_the_claim_of_who_does_not_come_back_ends_and_others_do_not_renew_it() -> None:
    clock = HandClock()
    room = PixelRoom(clock)
    with room.enter(10, 100, wait=False):
        refused(room, 100)
        clock.now_s = 0.09
        refused(room, 100)  # another one of that size
        refused(room, 10)
        clock.now_s = 0.11
        with room.enter(10, 100, wait=False):
            pass


def test_the_claim_of_who_asks_for_room_goes_on() -> None:
    clock = HandClock()
    room = PixelRoom(clock)
    with room.enter(10, 100, wait=False):
        large = refused(room, 100)
        for step in range(1, 10):
            clock.now_s = 0.09 * step
            assert not large.has_room()
        refused(room, 10)


def test_who_waits_is_not_overtaken_by_who_does_not() -> None:
    room = PixelRoom()
    with ThreadPoolExecutor(2) as pool:
        first = Visitor(pool, room, 60, 100)
        assert first.inside.wait(10)
        large = Visitor(pool, room, 50, 100)
        assert large.is_waiting()
        small = refused(room, 10)
        assert not small.has_room()
        first.leave()
        assert large.inside.wait(10)
        assert small.has_room()
        large.leave()


def test_what_is_larger_than_the_limit_enters_alone() -> None:
    room = PixelRoom()
    with room.enter(1000, 100):
        pass


def test_an_interrupted_wait_leaves_the_room_usable(monkeypatch) -> None:
    """Ctrl-C in ``Predictor.preprocess`` shut PNG and WebP out for ever."""
    room = PixelRoom()

    def interrupted(_predicate):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(room._left, "wait_for", interrupted)
        with pytest.raises(KeyboardInterrupt), room.enter(10, 100):
            pass
    with room.enter(10, 100, wait=False):
        pass


def test_who_gives_up_does_not_keep_the_room_empty() -> None:
    """A claim outlived its client, and kept others out of an empty room."""
    room = PixelRoom(clock=lambda: 0.0)
    inside = room.enter(10, 100, wait=False)
    with inside, pytest.raises(DecodeDeferred) as refused, room.enter(100, 100, wait=False):
        pass
    with pytest.raises(DecodeDeferred), room.enter(20, 100, wait=False):
        pass
    refused.value.give_up()
    with room.enter(20, 100, wait=False):
        pass
