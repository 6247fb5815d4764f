"""Who comes back, and in which order."""

from collections.abc import Callable

from batching_fakes import FakeJob
from photic.batching.set_aside import SetAside
from photic.batching.work_queue import WorkQueue
from photic.errors import DecodeDeferred


def set_aside(
    aside: SetAside, queue: WorkQueue, *jobs: FakeJob, has_room: Callable[[], bool], room: str = "a"
) -> None:
    for job in jobs:
        queue.push(job)
        aside.add(queue, queue.pop(), DecodeDeferred(room, has_room=has_room))


def numbers(queue: WorkQueue) -> list[int]:
    return [job.number for job in queue.clear()]


def test_one_of_each_line_comes_back_by_deadline_then_by_arrival():
    aside, queue = SetAside(), WorkQueue()
    jobs = [FakeJob(n, deadline_ns=deadline) for n, deadline in enumerate([30, 20, 30, 20])]
    set_aside(aside, queue, *jobs, has_room=lambda: True)
    order = []
    while aside:
        aside.bring_back(0)
        order += numbers(queue)
    assert order == [1, 3, 0, 2]


def test_nobody_comes_back_without_room_and_only_the_first_is_asked():
    aside, queue, asked = SetAside(), WorkQueue(), []

    def has_room_for(number: int) -> Callable[[], bool]:
        return lambda: bool(asked.append(number))

    for n in range(3):
        set_aside(aside, queue, FakeJob(n), has_room=has_room_for(n))
    aside.bring_back(0)
    assert (asked, len(queue), len(aside)) == ([0], 0, 3)


def test_lines_are_apart():
    aside, queue = SetAside(), WorkQueue()
    set_aside(aside, queue, FakeJob(1), has_room=lambda: False, room="full")
    set_aside(aside, queue, FakeJob(2), has_room=lambda: True, room="free")
    aside.bring_back(0)
    assert numbers(queue) == [2]


def test_who_would_not_be_next_stays_since_there_is_no_use_in_many_that_try():
    aside, queue = SetAside(), WorkQueue()
    set_aside(aside, queue, *(FakeJob(n) for n in range(3)), has_room=lambda: True)
    for _ in range(5):
        aside.bring_back(0)
    assert numbers(queue) == [0]
    queue.push(FakeJob(9, deadline_ns=1))
    aside.bring_back(0)
    assert numbers(queue) == [9]


def test_a_job_takes_its_old_place_among_equal_deadlines():
    aside, queue = SetAside(), WorkQueue()
    set_aside(aside, queue, FakeJob(1), has_room=lambda: True)
    queue.push(FakeJob(2))
    aside.bring_back(0)
    assert numbers(queue) == [1, 2]


def test_the_dead_come_back_to_be_dropped_there():
    aside, queue = SetAside(), WorkQueue()
    jobs = [FakeJob(n, deadline_ns=10 + n) for n in range(4)]
    jobs[2].abandoned = True
    set_aside(aside, queue, *jobs, has_room=lambda: False)
    aside.bring_back(11)
    assert [job.number for job in queue.drop_dead(11)] == [0, 1, 2]
    assert (len(queue), len(aside)) == (0, 1)


def test_clear_gives_all_jobs():
    aside, queue = SetAside(), WorkQueue()
    set_aside(aside, queue, FakeJob(1), has_room=lambda: False, room="a")
    set_aside(aside, queue, FakeJob(2), has_room=lambda: False, room="b")
    assert [job.number for job in aside.clear()] == [1, 2]
    assert not aside


def test_the_dead_give_up_their_room_wherever_they_stand():
    aside, queue, given_up = SetAside(), WorkQueue(), []
    jobs = [FakeJob(n, deadline_ns=deadline) for n, deadline in enumerate([10, 90, 90])]
    for job in jobs:
        queue.push(job)
        number = job.number
        deferral = DecodeDeferred(
            "a", has_room=lambda: False, give_up=lambda number=number: given_up.append(number)
        )
        aside.add(queue, queue.pop(), deferral)
    jobs[2].abandoned = True
    aside.bring_back(50)
    assert (given_up, numbers(queue), len(aside)) == ([0, 2], [0, 2], 1)


def test_who_is_cleared_away_gives_up_its_room():
    aside, queue, given_up = SetAside(), WorkQueue(), []
    queue.push(FakeJob(1))
    deferral = DecodeDeferred("a", has_room=lambda: False, give_up=lambda: given_up.append(1))
    aside.add(queue, queue.pop(), deferral)
    assert [job.number for job in aside.clear()] == [1]
    assert (given_up, len(aside)) == ([1], 0)
