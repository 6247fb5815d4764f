"""A stalled body gives way when there is no room; one that comes does not."""

import asyncio

import pytest

from asgi_call import Body
from photic.errors import BodyTimeout, Overloaded
from photic.serving.admission import Admission
from photic.settings import AdmissionSettings
from photic.web.body import BodyReader, TimeLimit
from photic.web.uploads import Uploads

PATIENT_S = 60.0
PATIENT = TimeLimit(PATIENT_S, "a test")


def reader(body: Body, announced: int | None) -> BodyReader:
    headers = {b"transfer-encoding": b"chunked"}
    if announced is not None:
        headers = {b"content-length": b"%d" % announced}
    return BodyReader(body.receive, headers, max_bytes=1_000)


class Scene:
    """Uploads of which some have begun and pause."""

    def __init__(self, *, stall_s: float, **limits: int) -> None:
        self.admission = Admission(AdmissionSettings(**limits), workers=1)
        self.admission.open()
        self.uploads = Uploads(self.admission, stall_s=stall_s)

    async def begin(self, *chunks: bytes, announced: int | None = 100) -> asyncio.Task[None]:
        body = reader(Body(*chunks, ends=False), announced)
        ticket = self.uploads.admit(body)

        async def read() -> None:
            try:
                await self.uploads.read(body, lambda _: None, ticket, PATIENT)
            finally:
                ticket.release()

        task = asyncio.create_task(read())
        await asyncio.sleep(0)  # its first chunks are read, and it waits
        return task


def test_the_body_that_paused_longest_gives_its_slot():
    async def run():
        scene = Scene(stall_s=0, max_in_flight=2)
        oldest, newer = await scene.begin(b"a"), await scene.begin(b"b")
        newest = await scene.begin(b"c")
        with pytest.raises(BodyTimeout, match="paused for longest: 1 of 100 bytes"):
            await oldest
        assert not newer.done()
        assert not newest.done()
        assert scene.admission.in_flight == 2
        for task in (newer, newest):
            task.cancel()
        await asyncio.gather(newer, newest, return_exceptions=True)
        assert (scene.admission.in_flight, scene.admission.in_flight_bytes) == (0, 0)

    asyncio.run(run())


def test_as_many_as_it_takes_give_their_bytes():
    async def run():
        scene = Scene(stall_s=0, max_in_flight_bytes=250)
        first, second = await scene.begin(b"a"), await scene.begin(b"b")
        third = await scene.begin(b"c", announced=200)
        with pytest.raises(BodyTimeout):
            await first
        with pytest.raises(BodyTimeout):
            await second
        assert scene.admission.in_flight_bytes == 200
        third.cancel()

    asyncio.run(run())


def test_a_body_that_paused_only_shortly_stays():
    async def run():
        scene = Scene(stall_s=PATIENT_S, max_in_flight=1)
        first = await scene.begin(b"a")
        with pytest.raises(Overloaded):
            await scene.begin(b"b")
        assert not first.done()
        first.cancel()

    asyncio.run(run())


def test_requests_that_are_all_there_never_give_way():
    async def run():
        scene = Scene(stall_s=0, max_in_flight=1)
        waiting = reader(Body(b"abc"), 3)
        ticket = scene.uploads.admit(waiting)
        await scene.uploads.read(waiting, lambda _: None, ticket, PATIENT)
        with pytest.raises(Overloaded):
            scene.uploads.admit(reader(Body(), 3))

    asyncio.run(run())


def test_a_chunk_that_comes_too_late_counts_no_more_bytes():
    """Its ticket is released already; growing it would leak bytes."""

    async def run():
        scene = Scene(stall_s=0, max_in_flight=1)
        late = asyncio.Event()

        async def receive():
            await late.wait()
            return {"type": "http.request", "body": b"x" * 50, "more_body": False}

        body = BodyReader(receive, {b"transfer-encoding": b"chunked"}, max_bytes=1_000)
        ticket = scene.uploads.admit(body)
        reading = asyncio.create_task(scene.uploads.read(body, lambda _: None, ticket, PATIENT))
        await asyncio.sleep(0)
        late.set()  # the reader wakes up …
        scene.uploads.admit(reader(Body(), 0))  # … in the round in which it must give way
        with pytest.raises(BodyTimeout):
            await reading
        assert scene.admission.in_flight_bytes == 0

    asyncio.run(run())
