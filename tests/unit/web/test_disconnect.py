"""A client that leaves cancels the work; nobody else's cancellation is taken for that."""

import asyncio

import pytest

from asgi_call import DISCONNECT, Body
from photic.errors import Abandoned
from photic.web.disconnect import unless_client_leaves


def at_once(receive, work):
    """With a watch that begins at once."""
    return unless_client_leaves(receive, work, watch_after_s=0)


class Work:
    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.cancelled = False

    async def run(self) -> None:
        self.began.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


async def answer() -> str:
    for _ in range(5):  # turns of the loop, in which the watch begins
        await asyncio.sleep(0)
    return "answer"


def test_a_client_that_stays_gets_its_answer():
    assert asyncio.run(at_once(Body().receive, answer())) == "answer"


def test_the_end_of_the_body_is_no_disconnect():
    assert asyncio.run(at_once(Body(b"").receive, answer())) == "answer"


def test_a_client_that_leaves_cancels_the_work():
    async def run():
        work, left = Work(), asyncio.Event()
        task = asyncio.create_task(at_once(Body(left).receive, work.run()))
        await work.began.wait()
        left.set()
        with pytest.raises(Abandoned):
            await task
        assert work.cancelled
        assert task.cancelling() == 0

    asyncio.run(run())


def test_a_quick_answer_costs_no_watch():
    async def run():
        body = Body()
        assert await unless_client_leaves(body.receive, answer()) == "answer"
        assert body.asked == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_who_left_before_the_watch_began_is_noticed_when_it_does():
    async def run():
        with pytest.raises(Abandoned):
            await unless_client_leaves(Body(DISCONNECT).receive, Work().run())

    asyncio.run(run())


def test_a_client_that_left_before():
    async def run():
        with pytest.raises(Abandoned):
            await at_once(Body(DISCONNECT).receive, Work().run())

    asyncio.run(run())


def test_a_cancellation_from_elsewhere_stays_one():
    async def run():
        work = Work()
        task = asyncio.create_task(at_once(Body().receive, work.run()))
        await work.began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert work.cancelled

    asyncio.run(run())


def test_no_watch_is_left_behind():
    async def run():
        await at_once(Body().receive, answer())
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_the_works_own_error_comes_through():
    async def fail() -> None:
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        asyncio.run(unless_client_leaves(Body().receive, fail()))


def test_a_client_that_leaves_as_its_answer_comes_cancels_nothing_later():
    """Both in one turn of the loop: the cancellation came when the answer was being sent."""

    async def run():
        loop = asyncio.get_running_loop()
        left, answered = loop.create_future(), loop.create_future()

        async def receive():
            await left
            return DISCONNECT

        async def work():
            return await answered

        loop.call_soon(loop.call_soon, lambda: (left.set_result(None), answered.set_result("yes")))
        assert await at_once(receive, work()) == "yes"
        for _ in range(5):
            await asyncio.sleep(0)  # stands for sending the answer

    asyncio.run(run())
