"""A decode without room waits beside the queue, not on a worker thread."""

import threading

import pytest

from batching_fakes import PATIENCE_S, FakeJob, FakeLane, Gate, hold
from photic.batching.dispatcher import LOOK_AGAIN_NS
from photic.errors import DeadlineExceeded, DecodeDeferred, Unavailable
from photic.stages import Stage

MS = 1_000_000


class Room:
    """Admits jobs one at a time; those with negative numbers need no room.

    A job stays inside until ``gate`` opens, if it has one.
    """

    def __init__(self, name: str = "room") -> None:
        self.name = name
        self._lock = threading.Lock()
        self._holder: object = None
        self.refused: list[int] = []
        self.gates: dict[int, Gate] = {}

    def take(self, holder: object) -> bool:
        with self._lock:
            if self._holder is None:
                self._holder = holder
                return True
            return False

    def leave(self) -> None:
        with self._lock:
            self._holder = None

    def decode(self, job: FakeJob) -> None:
        if job.number < 0:
            return
        if not self.take(job):
            self.refused.append(job.number)
            raise DecodeDeferred(self.name, has_room=lambda: self._holder is None)
        try:
            if gate := self.gates.get(job.number):
                gate(job)
        finally:
            self.leave()


def lane_in(room: Room, **options) -> FakeLane:
    return FakeLane(on_decode=room.decode, **options)


def held_by_job(running, room: Room, lane: FakeLane) -> tuple[Gate, FakeJob]:
    """A job that is in the room and stays there."""
    gate = room.gates[100] = Gate()
    [job] = running.submit(lane, FakeJob(100))
    gate.await_arrival()
    return gate, job


def wait_until_idle(running) -> None:
    """Until a worker sleeps and looks after the jobs set aside."""
    running.clock.await_alarm(running.clock.now_ns() + LOOK_AGAIN_NS)


def test_r01_a_job_without_room_does_not_block_the_others(run):
    """Review finding 1: PNG and WebP that waited for room took all workers from the JPEGs."""
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=2)
    gate, holder = held_by_job(running, room, lane)
    large = running.submit(lane, *(FakeJob(n) for n in range(5)))
    small = running.submit(lane, *(FakeJob(-n) for n in range(1, 30)))
    assert [job.result() for job in small] == [-n for n in range(1, 30)]
    assert not any(job.settled for job in (holder, *large))
    gate.open()
    assert [job.result() for job in (holder, *large)] == [100, 0, 1, 2, 3, 4]


def test_a_deferred_job_comes_back_when_the_holder_is_done_without_a_timer(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=2)
    gate, _ = held_by_job(running, room, lane)
    [job] = running.submit(lane, FakeJob(1))
    wait_until_idle(running)
    assert room.refused == [1]
    gate.open()
    assert job.result() == 1
    assert running.clock.now_ns() == 0
    assert room.refused == [1]  # not tried again before there was room


def test_room_that_is_left_before_the_refusal_is_noted_is_not_overlooked(run):
    """The holder ends between a refusal and its being noted down: nobody else will look again."""
    room, refused = Room(), Gate()
    lane = FakeLane()
    running = run(lane, workers=2)
    gate, holder = Gate(), FakeJob(100)
    room.gates[100] = gate

    def decode(job: FakeJob) -> None:
        try:
            room.decode(job)
        except DecodeDeferred:
            refused(job)  # holds the worker here
            raise

    lane.on_decode = decode
    running.submit(lane, holder)
    gate.await_arrival()
    [job] = running.submit(lane, FakeJob(1))
    refused.await_arrival()
    gate.open()
    assert holder.result() == 100
    running.clock.await_alarm(None)  # the holder's worker has looked for work, and sleeps
    refused.open()
    assert job.result() == 1
    assert running.clock.now_ns() == 0


def test_room_held_by_a_strange_thread_is_asked_for_by_time_and_by_one_worker(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=3)
    assert room.take("a thread that is not the batcher's")
    [job] = running.submit(lane, FakeJob(1))
    for _ in range(3):
        wait_until_idle(running)
        running.clock.advance(LOOK_AGAIN_NS)
    wait_until_idle(running)
    assert room.refused == [1]  # asked for, but not decoded in vain
    alarms = [until_ns for until_ns, _ in running.clock._alarms]
    assert sum(until_ns is not None for until_ns in alarms) == 1
    room.leave()
    running.clock.advance(LOOK_AGAIN_NS)
    assert job.result() == 1


def test_the_line_keeps_its_order(run):
    """By deadline, then by arrival; whoever comes later does not overtake."""
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=2)
    gate, _ = held_by_job(running, room, lane)
    late = running.submit(lane, *(FakeJob(n, deadline_ns=900 * MS) for n in (1, 2)))
    early = running.submit(lane, *(FakeJob(n, deadline_ns=500 * MS) for n in (3, 4)))
    wait_until_idle(running)
    assert sorted(room.refused) == [1, 2, 3, 4]
    lane.decoded.clear()
    room.refused.clear()
    gate.open()
    for job in (*late, *early):
        job.result()
    order = [number for number in lane.decoded if number not in room.refused]
    assert sorted(order) == [1, 2, 3, 4]
    assert order[0] == 3
    assert order.index(4) < order.index(2)


def test_lanes_share_a_line_but_rooms_do_not(run):
    full, free = Room("full"), Room("free")
    first, second = lane_in(full, name="first"), lane_in(full, name="second")
    other = lane_in(free, name="other")
    running = run(first, second, other, workers=2)
    gate, _ = held_by_job(running, full, first)
    [waits] = running.submit(second, FakeJob(1))
    wait_until_idle(running)
    free.take("somebody")
    [elsewhere] = running.submit(other, FakeJob(2))
    wait_until_idle(running)
    free.leave()
    running.clock.advance(LOOK_AGAIN_NS)
    assert elsewhere.result() == 2
    assert not waits.settled
    gate.open()
    assert waits.result() == 1


def test_a_deferred_job_is_dropped_at_its_deadline(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=2)
    gate, holder = held_by_job(running, room, lane)
    [job] = running.submit(lane, FakeJob(1, deadline_ns=7 * MS))
    wait_until_idle(running)
    running.clock.advance(LOOK_AGAIN_NS)
    assert isinstance(job.result(), DeadlineExceeded)
    assert running.batcher.counts(lane).expired == 1
    gate.open()
    assert holder.result() == 100
    assert lane.decoded == [100, 1]


def test_a_deferred_job_whose_client_left_is_dropped_and_does_not_keep_the_line(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=2)
    gate, _ = held_by_job(running, room, lane)
    left, stays = running.submit(lane, FakeJob(1), FakeJob(2))
    wait_until_idle(running)
    left.abandoned = True
    gate.open()
    assert stays.result() == 2
    assert running.batcher.counts(lane).abandoned == 1
    assert not left.settled


def test_close_fails_deferred_jobs(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=1)
    room.take("somebody who does not leave")
    [job] = running.submit(lane, FakeJob(1))
    wait_until_idle(running)
    assert running.batcher.close(PATIENCE_S)
    assert isinstance(job.result(), Unavailable)


def test_a_job_that_is_deferred_during_the_close_fails_too(run):
    room, refused = Room(), Gate()
    lane = FakeLane()
    running = run(lane)
    room.take("somebody who does not leave")

    def decode(job: FakeJob) -> None:
        refused(job)
        room.decode(job)

    lane.on_decode = decode
    [job] = running.submit(lane, FakeJob(1))
    refused.await_arrival()
    assert not running.batcher.close(0.0)
    refused.open()
    assert isinstance(job.result(), Unavailable)
    assert running.batcher.close(PATIENCE_S)


def test_the_wait_for_room_is_part_of_the_queue(run):
    room = Room()
    lane = lane_in(room)
    running = run(lane)
    room.take("somebody")
    [job] = running.submit(lane, FakeJob(1))
    wait_until_idle(running)
    assert job.timeline.durations_ns() == []
    room.leave()
    running.clock.advance(LOOK_AGAIN_NS)
    job.result()
    durations = dict(job.timeline.durations_ns())
    assert durations == {Stage.QUEUE: LOOK_AGAIN_NS, Stage.DECODE: 0, Stage.BATCH_WAIT: 0}


def test_ready_rows_do_not_wait_for_a_deferred_job(run):
    """It is no company to expect; and it holds no row."""
    room = Room()
    lane = lane_in(room, preferred_batch=4)
    running = run(lane)
    room.take("somebody")
    [deferred] = running.submit(lane, FakeJob(1))
    wait_until_idle(running)
    [ready] = running.submit(lane, FakeJob(-1))
    assert ready.result() == -1
    for _ in range(20):  # more often than there are rows
        wait_until_idle(running)
        running.clock.advance(LOOK_AGAIN_NS)
    gate, held = hold(running, lane)
    backlog = running.submit(lane, *(FakeJob(-n) for n in range(2, 10)))
    gate.open()
    for job in (held, *backlog):
        job.result()
    assert max(map(len, lane.batches)) == 4
    assert not deferred.settled


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_many_jobs_with_and_without_room_are_all_answered_once(run, workers):
    room = Room()
    lane = lane_in(room)
    running = run(lane, workers=workers)
    numbers = [n if n % 3 else -n for n in range(1, 400)]
    jobs = running.submit(lane, *(FakeJob(n) for n in numbers))
    assert [job.result() for job in jobs] == numbers
    assert running.clock.now_ns() == 0  # no timer was needed
