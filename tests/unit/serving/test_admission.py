import asyncio

import pytest

from photic.errors import Overloaded, Unavailable
from photic.serving.admission import Admission
from photic.settings import AdmissionSettings


def opened(*, workers: int = 2, **settings: int) -> Admission:
    admission = Admission(AdmissionSettings(**settings), workers=workers)
    admission.open()
    return admission


def test_there_are_32_slots_for_each_worker_unless_set():
    assert opened(workers=3).max_in_flight == 96
    assert opened(max_in_flight=5).max_in_flight == 5


def test_it_counts_requests_and_bytes():
    admission = opened()
    with admission.admit(100), admission.admit(50):
        assert (admission.in_flight, admission.in_flight_bytes) == (2, 150)
    assert (admission.in_flight, admission.in_flight_bytes) == (0, 0)


def test_no_slot_left_is_429_and_says_when_to_come_back():
    admission = opened(max_in_flight=1, retry_after_s=7)
    ticket = admission.admit(0)
    with pytest.raises(Overloaded, match="all 1 slots are taken") as refused:
        admission.admit(0)
    assert (refused.value.status, refused.value.retry_after) == (429, 7)
    assert admission.in_flight == 1
    ticket.release()
    admission.admit(0)


def test_too_many_bytes_is_429_and_takes_nothing():
    admission = opened(max_in_flight_bytes=100)
    with admission.admit(60):
        with pytest.raises(Overloaded, match=r"60 bytes .* and 41 more would exceed 100"):
            admission.admit(41)
        assert (admission.in_flight, admission.in_flight_bytes) == (1, 60)
        admission.admit(40)


def test_a_body_of_unknown_length_grows():
    admission = opened(max_in_flight_bytes=100)
    with admission.admit(0) as ticket:
        ticket.grow(70)
        ticket.grow(30)
        assert admission.in_flight_bytes == 100
        with pytest.raises(Overloaded):
            ticket.grow(1)
    assert admission.in_flight_bytes == 0


def test_a_ticket_is_released_once():
    admission = opened()
    first, second = admission.admit(10), admission.admit(20)
    first.release()
    first.release()
    assert (admission.in_flight, admission.in_flight_bytes) == (1, 20)
    second.release()


def test_a_ticket_is_released_by_an_error():
    admission = opened()
    with pytest.raises(ZeroDivisionError), admission.admit(10):
        raise ZeroDivisionError
    assert admission.in_flight == 0


def test_it_begins_closed_and_drain_closes_it():
    admission = Admission(AdmissionSettings(retry_after_s=3), workers=1)
    with pytest.raises(Unavailable, match="not ready") as refused:
        admission.admit(0)
    assert (refused.value.status, refused.value.retry_after) == (503, 3)
    admission.open()
    ticket = admission.admit(0)
    admission.drain()
    with pytest.raises(Unavailable, match="shutting down"):
        admission.admit(0)
    ticket.release()


def test_idle_waits_until_nothing_is_in_flight():
    async def scenario() -> list[str]:
        admission, order = opened(), []
        await admission.idle()
        first, second = admission.admit(0), admission.admit(0)

        async def wait() -> None:
            await admission.idle()
            order.append("idle")

        waiting = asyncio.ensure_future(wait())
        for name, ticket in (("first", first), ("second", second)):
            await asyncio.sleep(0)
            order.append(name)
            ticket.release()
        await waiting
        return order

    assert asyncio.run(scenario()) == ["first", "second", "idle"]
