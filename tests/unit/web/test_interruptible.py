"""Breaking off one await, and nothing else."""

import asyncio

import pytest

from photic.web.interruptible import Interrupted, Interruptible


async def forever() -> None:
    await asyncio.get_running_loop().create_future()


async def interrupted(*, cancelled_too: bool = False) -> None:
    """Runs in a task that is interrupted while it waits."""
    waiting, loop = Interruptible(), asyncio.get_running_loop()
    loop.call_soon(waiting.interrupt)
    loop.call_soon(waiting.interrupt)
    if cancelled_too:
        loop.call_soon(asyncio.current_task().cancel)
    await waiting.run(forever())


def test_the_task_goes_on_after_an_interrupt():
    async def run():
        with pytest.raises(Interrupted):
            await interrupted()
        assert asyncio.current_task().cancelling() == 0
        await asyncio.sleep(0)

    asyncio.run(run())


def test_a_cancellation_that_comes_too_is_not_lost():
    async def run():
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(interrupted(cancelled_too=True))

    asyncio.run(run())


def test_a_cancellation_alone_is_none_of_its_business():
    async def run():
        task = asyncio.create_task(Interruptible().run(forever()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_too_early_and_too_late_nothing_happens():
    async def answer() -> str:
        return "answer"

    async def run():
        waiting = Interruptible()
        waiting.interrupt()
        assert await waiting.run(answer()) == "answer"
        waiting.interrupt()
        await asyncio.sleep(0)

    asyncio.run(run())


def test_an_answer_that_comes_at_the_same_time_is_too_late():
    async def run():
        waiting, loop = Interruptible(), asyncio.get_running_loop()
        answer = loop.create_future()

        async def work() -> str:
            return await answer

        loop.call_soon(lambda: (answer.set_result("answer"), waiting.interrupt()))
        with pytest.raises(Interrupted):
            await waiting.run(work())

    asyncio.run(run())
