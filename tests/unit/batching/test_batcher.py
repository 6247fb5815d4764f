"""The worker threads with fake lanes; every wait is for an event."""

import itertools
import threading

import pytest

from batching_fakes import PATIENCE_S, FakeJob, FakeLane, hold, jobs
from photic.errors import DeadlineExceeded, InferenceFailed
from photic.stages import Stage

MS = 1_000_000


def test_a_job_goes_through_all_stages(run):
    lane = FakeLane()
    [job] = run(lane).submit(lane, FakeJob(7))
    assert job.result() == 7
    stages = [stage for stage, _ in job.timeline.durations_ns()]
    assert stages == [Stage.QUEUE, Stage.DECODE, Stage.BATCH_WAIT]  # the engine ends the others


def test_each_of_many_jobs_gets_its_own_answer(run):
    lane = FakeLane(preferred_batch=3)
    running = run(lane, workers=3)
    assert [job.result() for job in running.submit(lane, *jobs(500))] == list(range(500))


def test_several_workers_work_at_the_same_time(run):
    together = threading.Barrier(2, timeout=PATIENCE_S)
    lane = FakeLane(on_decode=lambda _: together.wait())
    running = run(lane, workers=2)
    assert [job.result() for job in running.submit(lane, *jobs(2))] == [0, 1]


def test_at_batches_of_one_a_worker_carries_a_job_to_its_answer(run):
    lane = FakeLane()
    for job in run(lane, workers=3).submit(lane, *jobs(100)):
        job.result()
    assert len(lane.threads) == 100
    assert all(len(set(names)) == 1 for names in lane.threads.values())


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("preferred", [1, 4])
def test_under_backlog_the_batch_sizes_have_their_mode_at_preferred(run, preferred, workers):
    lane = FakeLane(preferred_batch=preferred)
    running = run(lane, workers=workers)
    gate, held = hold(running, lane)
    backlog = running.submit(lane, *jobs(64))
    gate.open()
    for job in (held, *backlog):
        job.result()
    sizes = running.batcher.counts(lane).batch_sizes
    assert len(sizes) == preferred + 1
    assert sum(size * count for size, count in enumerate(sizes)) == 65
    assert sizes.index(max(sizes)) == preferred
    # A lone worker forms full batches only, but for the rest of 65.
    assert workers > 1 or sizes[preferred] == 65 // preferred


def test_a_lone_job_does_not_wait_for_company(run):
    lane = FakeLane(preferred_batch=4)
    [job] = run(lane).submit(lane, FakeJob())
    job.result()
    assert lane.batches == [[0]]


def test_a_delay_that_was_asked_for_is_kept_to_the_nanosecond(run):
    lane = FakeLane(preferred_batch=4, max_queue_delay_ns=5 * MS)
    running = run(lane)
    [first] = running.submit(lane, FakeJob(1))
    running.clock.await_alarm(5 * MS)
    running.clock.advance(3 * MS)
    [second] = running.submit(lane, FakeJob(2))
    running.clock.await_alarm(5 * MS)  # it still counts from the first
    running.clock.advance(2 * MS - 1)
    assert lane.batches == []
    running.clock.advance(1)
    assert (first.result(), second.result()) == (1, 2)
    assert lane.batches == [[1, 2]]


def test_the_very_first_row_leaves_in_time_for_its_deadline(run):
    """Only the warm-up was measured yet. It left at its deadline, and was answered with 504."""
    lane = FakeLane(preferred_batch=4, max_queue_delay_ns=500 * MS, expected_infer_ns=10 * MS)
    running = run(lane)
    [job] = running.submit(lane, FakeJob(1, deadline_ns=50 * MS))
    running.clock.await_alarm(30 * MS)
    running.clock.advance(30 * MS)
    assert job.result() == 1


def test_an_idle_worker_keeps_the_delay_while_another_decodes(run):
    lane = FakeLane(preferred_batch=4, max_queue_delay_ns=5 * MS)
    running = run(lane, workers=2)
    running.clock.await_alarm(None)
    [ready] = running.submit(lane, FakeJob(1))
    running.clock.await_alarm(5 * MS)
    gate, held = hold(running, lane)
    running.clock.await_alarm(5 * MS)
    running.clock.advance(5 * MS)
    assert ready.result() == 1
    gate.open()
    running.clock.await_alarm(10 * MS)
    running.clock.advance(5 * MS)
    assert held.result() == -1
    assert lane.batches == [[1], [-1]]


def test_a_full_batch_ends_the_delay(run):
    lane = FakeLane(preferred_batch=2, max_queue_delay_ns=5 * MS)
    running = run(lane)
    assert [job.result() for job in running.submit(lane, *jobs(2))] == [0, 1]
    assert running.clock.now_ns() == 0


def test_the_earliest_deadline_is_decoded_first(run):
    lane = FakeLane()
    running = run(lane)
    gate, _ = hold(running, lane)
    late, early, middle = (FakeJob(n, deadline_ns=n * MS) for n in (30, 10, 20))
    running.submit(lane, late, early, middle)
    gate.open()
    late.result()
    assert lane.decoded == [-1, 10, 20, 30]


def test_another_models_backlog_does_not_starve_a_lane(run):
    busy, quiet = FakeLane(name="busy"), FakeLane(name="quiet")
    running = run(busy, quiet)
    gate, _ = hold(running, busy)
    backlog = running.submit(busy, *(FakeJob(n, deadline_ns=(100 + n) * MS) for n in range(50)))
    [lone] = running.submit(quiet, FakeJob(999, deadline_ns=110 * MS))
    after: list[int] = []
    quiet.on_decode = lambda _: after.append(len(busy.decoded))
    gate.open()
    assert lone.result() == 999
    backlog[-1].result()
    assert after == [1 + 11]  # the held one, and those whose deadlines are not later


def test_an_expired_job_is_dropped_before_its_decode(run):
    lane = FakeLane()
    running = run(lane)
    gate, _ = hold(running, lane)
    late, good = running.submit(lane, FakeJob(1, deadline_ns=5 * MS), FakeJob(2))
    running.clock.advance(5 * MS)
    gate.open()
    assert isinstance(late.result(), DeadlineExceeded)
    assert good.result() == 2
    assert lane.decoded == [-1, 2]
    assert running.batcher.counts(lane).expired == 1


def test_a_row_that_expired_while_it_waited_is_dropped_before_inference(run):
    lane = FakeLane(preferred_batch=2, max_queue_delay_ns=5 * MS)
    running = run(lane)
    [late] = running.submit(lane, FakeJob(1, deadline_ns=4 * MS))
    running.clock.await_alarm(4 * MS)  # a near deadline ends the delay; now the clock jumps past it
    running.clock.advance(9 * MS)
    assert isinstance(late.result(), DeadlineExceeded)
    assert lane.batches == []
    assert [job.result() for job in running.submit(lane, *jobs(2))] == [0, 1]


def test_b09_the_work_of_clients_that_left_is_not_done(run):
    """Lightning-AI/LitServe#165: it was still computed."""
    lane = FakeLane()
    running = run(lane)
    gate, _ = hold(running, lane)
    queued = running.submit(lane, *jobs(20))
    for job in queued[:18]:
        job.abandoned = True
    gate.open()
    assert [job.result() for job in queued[18:]] == [18, 19]
    assert lane.decoded == [-1, 18, 19]
    assert running.batcher.counts(lane).abandoned == 18
    assert not any(job.settled for job in queued[:18])


def test_a_client_that_leaves_after_decode_costs_no_inference_and_no_row(run):
    lane = FakeLane(preferred_batch=2, max_queue_delay_ns=5 * MS)
    running = run(lane)
    for _ in range(10):  # more often than there are rows
        [job] = running.submit(lane, FakeJob(9))
        running.clock.await_alarm(running.clock.now_ns() + 5 * MS)
        job.abandoned = True
        assert [job.result() for job in running.submit(lane, *jobs(2))] == [0, 1]
        running.clock.advance(100 * MS)
    assert lane.batches == [[0, 1]] * 10


def test_a_batch_is_delivered_in_one_call(run):
    lane = FakeLane(preferred_batch=4)
    running = run(lane)
    gate, held = hold(running, lane)
    for job in [held, *running.submit(lane, *jobs(7)), gate.open()][:-1]:
        job.result()
    assert [len(batch) for batch in running.deliveries] == [4, 4]


def test_rows_are_reused_and_never_shared(run):
    addresses, in_use = set(), set()
    lane = FakeLane(preferred_batch=4)
    decode, infer = lane.decode, lane.run

    def watched_decode(job, row):
        address = row.__array_interface__["data"][0]
        assert address not in in_use
        in_use.add(address)
        addresses.add(address)
        job.address = address
        decode(job, row)

    def watched_run(batch, rows, **options):
        results = infer(batch, rows, **options)
        in_use.difference_update(job.address for job in batch)
        return results

    lane.decode, lane.run = watched_decode, watched_run
    running = run(lane, workers=3)
    assert [job.result() for job in running.submit(lane, *jobs(400))] == list(range(400))
    assert len(addresses) <= (3 + 1) * 4


def test_batches_gathered_from_rows_apart_keep_their_jobs(run):
    """Decodes that finish out of order, and rows of failed ones, leave gaps between the rows."""
    order = itertools.count()

    def fail_every_third(_):
        if next(order) % 3 == 1:
            raise InferenceFailed("every third")

    lane = FakeLane(preferred_batch=4, on_decode=fail_every_third)
    running = run(lane, workers=3)
    outcomes = [(job.number, job.result()) for job in running.submit(lane, *jobs(300))]
    answered = [(number, result) for number, result in outcomes if isinstance(result, int)]
    assert len(answered) == 200
    assert all(number == result for number, result in answered)
