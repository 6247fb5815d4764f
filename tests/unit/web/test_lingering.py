"""Reading on after a refusal: until the body ends, for a while, or until the server stops."""

import asyncio

from asgi_call import Body
from photic.web.body import BodyReader
from photic.web.lingering import Lingering

PATIENT_S = 60.0


def reader(body: Body) -> BodyReader:
    return BodyReader(body.receive, {b"content-length": b"5"}, max_bytes=100)


def test_a_body_is_read_to_its_end():
    async def run():
        body = reader(Body(b"ab", b"cd", b"e"))
        await Lingering().read_on(body, PATIENT_S)
        assert body.received == 5

    asyncio.run(run())


def test_it_ends_in_time():
    async def run():
        body = reader(Body(b"ab", ends=False))
        await Lingering().read_on(body, 0.01)
        assert body.received == 2

    asyncio.run(run())


def test_without_time_nothing_is_read():
    async def run():
        body = Body(b"ab")
        await Lingering().read_on(reader(body), 0)
        assert body.asked == 0

    asyncio.run(run())


def test_the_end_waits_for_those_that_are_being_read_and_lets_no_more_begin():
    async def run():
        lingering = Lingering()
        clients = [Body(b"ab", ends=False) for _ in range(3)]
        reading = [
            asyncio.create_task(lingering.read_on(reader(body), PATIENT_S)) for body in clients
        ]
        await asyncio.sleep(0)
        assert len(lingering) == 3
        async with asyncio.timeout(PATIENT_S / 2):
            await lingering.end()
        assert len(lingering) == 0
        assert all(task.done() for task in reading)
        late = Body(b"ab")
        await lingering.read_on(reader(late), PATIENT_S)
        assert late.asked == 0

    asyncio.run(run())


def test_the_end_when_nothing_lingers():
    asyncio.run(Lingering().end())
