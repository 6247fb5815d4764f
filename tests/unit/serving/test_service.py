import asyncio
import gc
import threading
from collections import Counter

import pytest

from batching_fakes import PATIENCE_S, Gate
from photic.errors import DeadlineExceeded, ImageError, ModelNotFound, Unavailable
from photic.serving.request import InferenceRequest
from serving_fakes import MS, FakeEngine, closed, request_for, service_of


def score(answer) -> float:
    return answer.predictions[0].score


def test_every_request_gets_its_own_answer():
    async def scenario():
        engine = FakeEngine(preferred_batch=3)
        service = service_of(engine, workers=2)
        service.start()
        requests = [request_for(service, number) for number in range(200)]
        answers = await asyncio.gather(*(service.predict(engine, r) for r in requests))
        await closed(service)
        return answers, service

    answers, service = asyncio.run(scenario())
    assert [answer.request_id for answer in answers] == [str(number) for number in range(200)]
    assert [score(answer) for answer in answers] == list(range(200))
    assert service.wasted == 0


def test_an_error_comes_as_it_was_raised():
    def refuse(_):
        raise ImageError("cut short", code="truncated")

    async def scenario():
        engine = FakeEngine(on_decode=refuse)
        service = service_of(engine)
        service.start()
        try:
            with pytest.raises(ImageError, match="cut short") as refused:
                await service.predict(engine, request_for(service, 1))
            assert refused.value.http_status == 422
        finally:
            await closed(service)

    asyncio.run(scenario())


def test_b10_the_deadline_answers_at_once_while_an_inference_runs():
    """triton-inference-server/server#7512: noticed only when the running batch ended."""

    async def scenario():
        gate = Gate()
        engine = FakeEngine(on_run=gate)
        service = service_of(engine)
        service.start()
        running = request_for(service, 0, deadline_ms=500)
        first = asyncio.ensure_future(service.predict(engine, running))
        await asyncio.to_thread(gate.await_arrival)
        queued = [request_for(service, number, deadline_ms=50) for number in range(1, 20)]
        predictions = [service.predict(engine, request) for request in queued]
        outcomes = await asyncio.gather(*predictions, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {DeadlineExceeded}
        assert "50 ms" in outcomes[0].detail
        assert service.clock.now_ns() >= queued[0].deadline_ns - MS  # not before, but for rounding
        with pytest.raises(DeadlineExceeded, match="500 ms"):
            await first
        assert service.clock.now_ns() >= running.deadline_ns - MS
        assert engine.batches == [["0"]]  # which still runs
        gate.open()
        assert score(await service.predict(engine, request_for(service, 99))) == 99
        await closed(service)
        return engine, service

    engine, service = asyncio.run(scenario())
    assert engine.batches == [["0"], ["99"]]
    assert service.wasted == 1
    assert service.counts(engine).abandoned == 19


def test_b09_a_cancelled_task_takes_its_request_along():
    async def scenario():
        gate = Gate()
        engine = FakeEngine(on_run=gate)
        service = service_of(engine)
        service.start()
        first = asyncio.ensure_future(service.predict(engine, request_for(service, 0)))
        await asyncio.to_thread(gate.await_arrival)
        requests = [request_for(service, number) for number in range(1, 11)]
        tasks = [asyncio.ensure_future(service.predict(engine, r)) for r in requests]
        await asyncio.sleep(0)
        for task in tasks[:9]:
            task.cancel()
        await asyncio.gather(*tasks[:9], return_exceptions=True)
        assert all(request.image == b"" for request in requests[:9])  # its memory is free
        gate.open()
        answers = [score(await first), score(await tasks[9])]
        await closed(service)
        return engine, service, answers

    engine, service, answers = asyncio.run(scenario())
    assert answers == [0, 10]
    assert engine.batches == [["0"], ["10"]]
    assert service.counts(engine).abandoned == 9


def test_a_batch_wakes_the_event_loop_once():
    async def scenario():
        loop, gate, wake_ups = asyncio.get_running_loop(), Gate(), Counter()
        call_soon = loop.call_soon_threadsafe

        def counted(callback, *args, **options):
            wake_ups[threading.current_thread().name.rpartition("-")[0]] += 1
            return call_soon(callback, *args, **options)

        engine = FakeEngine(preferred_batch=4, on_decode=gate)
        service = service_of(engine)
        service.start()
        requests = [request_for(service, number) for number in range(8)]
        tasks = [asyncio.ensure_future(service.predict(engine, r)) for r in requests]
        await asyncio.sleep(0)
        loop.call_soon_threadsafe = counted
        gate.open()
        await asyncio.gather(*tasks)
        await closed(service)
        return engine, wake_ups["photic-work"]

    engine, wake_ups = asyncio.run(scenario())
    assert [len(batch) for batch in engine.batches] == [4, 4]
    assert wake_ups == 2


def test_an_answer_for_a_loop_that_is_gone_is_discarded():
    gate = Gate()
    engine = FakeEngine(on_run=gate)
    service = service_of(engine)
    service.start()

    async def leave():
        asyncio.ensure_future(service.predict(engine, request_for(service, 0)))  # noqa: RUF006
        await asyncio.to_thread(gate.await_arrival)

    asyncio.run(leave())
    gate.open()
    assert service.submit(engine, request_for(service, 1)).result(PATIENCE_S)
    assert service.wasted == 1
    assert service.close()


def test_nothing_is_left_of_a_request():
    """No timer, no reference from a worker: 200 answered requests are gone at once."""

    def count_requests():
        gc.collect()
        return sum(isinstance(thing, InferenceRequest) for thing in gc.get_objects())

    async def scenario():
        engine = FakeEngine()
        service = service_of(engine)
        service.start()
        before = count_requests()
        for number in range(200):
            await service.predict(engine, request_for(service, number))
        scheduled = len(asyncio.get_running_loop()._scheduled)
        await closed(service)
        return scheduled, count_requests() - before

    scheduled, left = asyncio.run(scenario())
    assert scheduled <= 101  # asyncio clears cancelled timers when there are more than 100
    assert left <= 0  # garbage of other tests may go meanwhile


def test_submit_serves_callers_without_a_loop():
    engine = FakeEngine()
    service = service_of(engine)
    service.start()
    futures = [service.submit(engine, request_for(service, number)) for number in range(20)]
    assert [score(future.result(PATIENCE_S)) for future in futures] == list(range(20))
    assert service.close()


def test_after_close_requests_are_refused():
    async def scenario():
        engine = FakeEngine()
        service = service_of(engine)
        service.start()
        await closed(service)
        with pytest.raises(Unavailable, match="shutting down"):
            await service.predict(engine, request_for(service, 0))

    asyncio.run(scenario())


def test_health_counts_the_worker_threads():
    service = service_of(FakeEngine(), workers=2)
    assert service.health().alive == 0
    service.start()
    assert service.health().healthy
    assert service.close()
    assert not service.health().healthy


@pytest.fixture
def several():
    return service_of(FakeEngine("cats", 1), FakeEngine("cats", 10), FakeEngine("dogs", 2))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ((), ("cats", 10)),
        (("cats",), ("cats", 10)),
        (("cats", 1), ("cats", 1)),
        (("dogs",), ("dogs", 2)),
    ],
)
def test_the_highest_version_is_found_unless_one_is_asked_for(several, asked, found):
    bundle = several.engine(*asked).bundle
    assert (bundle.name, bundle.version) == found


def test_an_unknown_model_is_answered_with_the_known_ones(several):
    with pytest.raises(ModelNotFound, match="no model 'birds'; there is: cats, dogs"):
        several.engine("birds")
    with pytest.raises(ModelNotFound, match="'cats' has no version 3; it has: 1, 10"):
        several.engine("cats", 3)
