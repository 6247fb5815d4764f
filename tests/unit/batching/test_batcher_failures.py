"""B07, B08: whatever fails, fails for its own jobs only, and never ends in a hang."""

import asyncio
import logging

import pytest

from batching_fakes import PATIENCE_S, FakeJob, FakeLane, HandClock
from photic.batching import dispatcher
from photic.batching.batcher import MAX_CRASHES, Batcher
from photic.errors import ImageError, InferenceFailed, Unavailable

KINDS = [
    ValueError,
    MemoryError,
    RecursionError,
    asyncio.CancelledError,
    KeyboardInterrupt,
    SystemExit,
    GeneratorExit,
    StopIteration,
    BaseException,
]

each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def started(monkeypatch):
    batchers = []

    def start(lane, *, workers=1, deliver=None):
        def settle(outcomes):
            for job, outcome in outcomes:
                job.settle(outcome)

        made = Batcher([lane], workers=workers, clock=HandClock(), deliver=deliver or settle)
        made.start()
        batchers.append(made)
        return made

    yield start
    monkeypatch.undo()
    for made in batchers:
        assert made.close(PATIENCE_S)


def submit(batcher, lane, *jobs):
    for job in jobs:
        batcher.submit(lane, job)
    return jobs


def once(kind):
    """Raises the first time it is called."""
    errors = [kind("broken")]

    def maybe_raise(*_):
        if errors:
            raise errors.pop()

    return maybe_raise


@each_kind
@pytest.mark.parametrize("stage", ["decode", "infer"])
def test_b07_a_stage_that_raises_anything_fails_its_job_and_the_next_is_served(
    started, caplog, stage, kind
):
    """ray-project/ray#66140: it ended the batching task, and every later request hung."""
    hooks = {"decode": "on_decode", "infer": "on_run"}
    lane = FakeLane(**{hooks[stage]: once(kind)})
    batcher = started(lane)
    [broken] = submit(batcher, lane, FakeJob(1))
    outcome = broken.result()
    assert isinstance(outcome, InferenceFailed)
    assert outcome.detail == f"{stage} failed with {kind.__name__}"
    [good] = submit(batcher, lane, FakeJob(2))
    assert good.result() == 2
    assert batcher.health().healthy
    assert f"{stage} failed" in caplog.text
    assert "broken" in caplog.text  # the log has what the client is not told


def test_a_refused_image_is_no_failure_of_the_server(started, caplog):
    refusal = ImageError("cut short", code="truncated")

    def refuse(_):
        raise refusal

    lane = FakeLane(on_decode=refuse)
    [job] = submit(started(lane), lane, FakeJob())
    assert job.result() is refusal
    assert refusal.__traceback__ is None  # its frames would keep the body alive
    assert caplog.records == []


@pytest.mark.parametrize("bad", [0, 13, 31])
def test_b08_one_bad_image_leaves_its_31_neighbours_their_own_answers(started, bad):
    """Lightning-AI/LitServe#340: all of the batch got the error of one."""

    def refuse_one(job):
        if job.number == bad:
            raise ImageError("not a picture", code="corrupt_data")

    lane = FakeLane(preferred_batch=32, on_decode=refuse_one)
    jobs = submit(started(lane), lane, *(FakeJob(number) for number in range(32)))
    outcomes = [job.result() for job in jobs]
    assert isinstance(outcomes.pop(bad), ImageError)
    assert outcomes == [number for number in range(32) if number != bad]


def test_a_model_that_gives_too_few_results_fails_its_batch(started):
    lane = FakeLane()
    lane.run = lambda *_, **__: []
    [job] = submit(started(lane), lane, FakeJob())
    assert job.result().detail == "the model gave 0 results for 1 images"


def test_jobs_of_a_failed_batch_get_an_error_each(started):
    lane = FakeLane(preferred_batch=2, max_queue_delay_ns=10**9, on_run=once(ValueError))
    first, second = submit(started(lane), lane, FakeJob(1), FakeJob(2))
    assert isinstance(first.result(), InferenceFailed)
    assert first.result() is not second.result()


def break_policy(monkeypatch, *, times):
    """The batcher's own loop fails so many times."""
    decide, left = dispatcher.decide, [None] * times

    def broken(snapshot, now_ns):
        if left and any(lane.waiting for lane in snapshot.lanes):
            left.pop()
            raise ZeroDivisionError("a bug in the policy")
        return decide(snapshot, now_ns)

    monkeypatch.setattr(dispatcher, "decide", broken)


def test_b07_a_bug_in_the_loop_is_survived(started, monkeypatch, caplog):
    break_policy(monkeypatch, times=MAX_CRASHES - 1)
    lane = FakeLane()
    batcher = started(lane)
    [job] = submit(batcher, lane, FakeJob(5))
    assert job.result() == 5
    assert batcher.health().healthy
    assert "a bug in the policy" in caplog.text
    assert caplog.records[0].levelno == logging.CRITICAL


def test_b07_a_loop_that_fails_for_ever_gives_up_and_is_noticed(started, monkeypatch):
    break_policy(monkeypatch, times=100)
    lane = FakeLane()
    batcher = started(lane)
    [job] = submit(batcher, lane, FakeJob())
    assert isinstance(job.result(), Unavailable)
    assert batcher.close(PATIENCE_S)  # its thread has ended or does now
    assert not batcher.health().healthy
    with pytest.raises(Unavailable):
        batcher.submit(lane, FakeJob())


def test_b07_failing_deliveries_are_survived_and_cost_no_rows(started):
    def deliver(outcomes):
        for job, outcome in outcomes:
            if isinstance(outcome, int) and outcome % 2:
                raise RuntimeError("cannot deliver odd numbers")
            job.settle(outcome)

    lane = FakeLane()
    batcher = started(lane, deliver=deliver)
    outcomes = [job.result() for job in submit(batcher, lane, *(FakeJob(n) for n in range(20)))]
    assert outcomes[::2] == list(range(0, 20, 2))
    assert all(isinstance(outcome, InferenceFailed) for outcome in outcomes[1::2])
    assert lane.decoded == list(range(20))
    assert batcher.health().healthy
