"""A lone row runs on all cores, and only then; with fake lanes and real worker threads."""

import pytest

from batching_fakes import FakeJob, FakeLane, hold, jobs


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("preferred", [1, 4])
def test_requests_that_come_one_by_one_run_alone(run, workers, preferred):
    lane = FakeLane(runs_alone=True, preferred_batch=preferred)
    running = run(lane, workers=workers)
    for job in jobs(20):
        running.submit(lane, job)
        assert job.result() == job.number
        running.clock.await_alarm(None)  # the batch is settled
    assert lane.alone == list(range(20))
    assert running.batcher.counts(lane).alone == 20
    assert running.batcher.counts(lane).batch_sizes[1] == 20


def test_a_lane_without_a_way_to_is_not_asked(run):
    lane = FakeLane()
    running = run(lane)
    [job] = running.submit(lane, FakeJob(1))
    job.result()
    assert lane.alone == []
    assert running.batcher.counts(lane).alone == 0


def test_under_backlog_only_the_last_may_run_alone(run):
    lane = FakeLane(runs_alone=True)
    running = run(lane)
    gate, held = hold(running, lane)
    backlog = running.submit(lane, *jobs(30))
    gate.open()
    for job in (held, *backlog):
        job.result()
    assert lane.alone == [29]


def test_while_another_worker_decodes_nothing_runs_alone(run):
    busy, quiet = FakeLane(name="busy"), FakeLane(name="quiet", runs_alone=True)
    running = run(busy, quiet, workers=2)
    gate, held = hold(running, busy)
    [job] = running.submit(quiet, FakeJob(1))
    assert job.result() == 1
    assert quiet.alone == []
    gate.open()
    held.result()


def test_runs_alone_do_not_teach_the_policy_how_long_others_take(run):
    """A row waits for company until two rounds before its deadline: of runs beside others."""
    lane = FakeLane(preferred_batch=2, max_queue_delay_ns=10**12, expected_infer_ns=100)
    running = run(lane)
    lane.runs_alone = True
    lane.on_run = lambda _: running.clock.advance(7)
    for number in range(3):
        now_ns = running.clock.now_ns()
        [job] = running.submit(lane, FakeJob(number, deadline_ns=now_ns + 1_000))
        running.clock.await_alarm(now_ns + 800)
        running.clock.advance(800)
        assert job.result() == number
    assert lane.alone == [0, 1, 2]
