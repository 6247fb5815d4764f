import pytest

from batching_fakes import FakeJob
from photic.batching.clock import NEVER_NS
from photic.batching.work_queue import WorkQueue, deadline_exceeded, is_dead
from photic.errors import DeadlineExceeded


def filled(*deadlines_ns: int) -> WorkQueue[FakeJob]:
    queue: WorkQueue[FakeJob] = WorkQueue()
    for number, deadline_ns in enumerate(deadlines_ns):
        queue.push(FakeJob(number, deadline_ns=deadline_ns))
    return queue


def test_the_earliest_deadline_comes_first_then_the_first_come():
    queue = filled(30, 10, 20, 10)
    assert len(queue) == 4
    assert queue.deadline_ns == 10
    assert [queue.pop().job.number for _ in range(4)] == [1, 3, 2, 0]
    assert queue.deadline_ns == NEVER_NS


def test_an_empty_queue_gives_nothing():
    with pytest.raises(IndexError):
        filled().pop()


@pytest.mark.parametrize(("now_ns", "dead"), [(9, False), (10, True), (11, True)])
def test_a_job_is_dead_from_its_deadline_on(now_ns, dead):
    assert is_dead(FakeJob(deadline_ns=10), now_ns) is dead


def test_an_abandoned_job_is_dead():
    job = FakeJob()
    job.abandoned = True
    assert is_dead(job, 0)


def test_dead_jobs_leave_the_head():
    queue = filled(5, 10, 20, 30)
    abandoned = queue.pop().job
    abandoned.deadline_ns, abandoned.abandoned = 15, True
    queue.push(abandoned)
    assert [job.number for job in queue.drop_dead(10)] == [1, 0]
    assert queue.pop().job.number == 2


def test_live_jobs_stay():
    assert filled(5, 10).drop_dead(4) == []


def test_clear_gives_all_jobs_in_order():
    queue = filled(30, 10, 20)
    assert [job.number for job in queue.clear()] == [1, 2, 0]
    assert len(queue) == 0


def test_the_error_names_the_deadline():
    error = deadline_exceeded(FakeJob(deadline_ns=500_000_000))
    assert isinstance(error, DeadlineExceeded)
    assert error.detail == "the answer was not ready within the deadline of 500 ms"
