"""The batching rule for any number of lanes in any state."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from photic.batching.clock import NEVER_NS
from photic.batching.policy import Action, Decode, Infer, LaneView, Snapshot, Wait, decide

NOW = 10**12
times = st.integers(NOW - 10**10, NOW + 10**10)


@st.composite
def lanes(draw: st.DrawFn) -> LaneView:
    waiting, ready = draw(st.integers(0, 3)), draw(st.integers(0, 9))
    return LaneView(
        preferred_batch=draw(st.integers(1, 8)),
        waiting=waiting,
        waiting_deadline_ns=draw(times) if waiting else NEVER_NS,
        ready=ready,
        ready_deadline_ns=draw(times) if ready else NEVER_NS,
        ready_since_ns=draw(st.integers(NOW - 10**10, NOW)) if ready else NEVER_NS,
        free_rows=draw(st.integers(0, 3)),
        max_queue_delay_ns=draw(st.sampled_from([0, 0, 10**6, 10**9])),
        service_ns=draw(st.integers(0, 10**8)),
        runs_alone=draw(st.booleans()),
    )


snapshots = st.builds(
    Snapshot, st.lists(lanes(), max_size=4).map(tuple), st.integers(1, 4), st.integers(0, 2)
)


@given(snapshots)
def test_a_batch_holds_ready_rows_and_no_more_than_preferred(snapshot):
    match decide(snapshot, NOW):
        case Infer(index, count):
            lane = snapshot.lanes[index]
            most = min(lane.ready, lane.preferred_batch)
            assert 1 <= count <= most
            if snapshot.workers == 1 or lane.max_queue_delay_ns:
                assert count == most
            work = sum(other.ready + other.waiting for other in snapshot.lanes)
            if count < most:  # less than all, since the others get as much of the rest
                assert work - count >= (snapshot.workers - 1) * count
                assert work < snapshot.workers * (count + 1)


@given(snapshots)
def test_a_decode_has_a_body_and_a_free_row(snapshot):
    match decide(snapshot, NOW):
        case Decode(index):
            assert snapshot.lanes[index].waiting
            assert snapshot.lanes[index].free_rows


@given(snapshots)
def test_it_never_waits_while_there_is_work(snapshot):
    if isinstance(decide(snapshot, NOW), Wait):
        for lane in snapshot.lanes:
            assert not (lane.waiting and lane.free_rows)
            assert not (lane.ready and lane.max_queue_delay_ns == 0)
            assert lane.ready < lane.preferred_batch


@given(snapshots)
def test_a_wait_ends_when_the_first_asked_delay_does_or_earlier(snapshot):
    match decide(snapshot, NOW):
        case Wait(until_ns):
            delays = [
                la.ready_since_ns + la.max_queue_delay_ns for la in snapshot.lanes if la.ready
            ]
            assert (until_ns is None) == (not delays)
            assert until_ns is None or NOW < until_ns <= min(delays)


@given(snapshots)
def test_rows_wait_at_their_time_no_longer(snapshot):
    """What it says it would do later, it does then, if nothing has changed."""
    match decide(snapshot, NOW):
        case Wait(int(until_ns)):
            assert isinstance(decide(snapshot, until_ns - 1), Wait)
            assert isinstance(decide(snapshot, until_ns), Infer)


@given(snapshots)
def test_earliest_deadline_first_within_a_stage(snapshot):
    match decide(snapshot, NOW):
        case Decode(index):
            rivals = [lane for lane in snapshot.lanes if lane.waiting and lane.free_rows]
            chosen = snapshot.lanes[index].waiting_deadline_ns
            assert chosen == min(lane.waiting_deadline_ns for lane in rivals)
        case Infer(index, _):
            full = [lane for lane in snapshot.lanes if lane.ready >= lane.preferred_batch]
            chosen = snapshot.lanes[index].ready_deadline_ns
            assert all(chosen <= lane.ready_deadline_ns for lane in full)


@given(snapshots)
def test_downstream_first(snapshot):
    if isinstance(decide(snapshot, NOW), Decode):
        assert all(lane.ready < lane.preferred_batch for lane in snapshot.lanes)
        assert all(not lane.ready or lane.free_rows for lane in snapshot.lanes)


@given(snapshots)
def test_all_cores_are_for_the_only_work_there_is(snapshot):
    match decide(snapshot, NOW):
        case Infer(index, _, alone):
            work = sum(lane.waiting + lane.ready for lane in snapshot.lanes) + snapshot.others_busy
            assert alone == (work == 1 and snapshot.lanes[index].runs_alone)


@given(snapshots, st.integers(0, 9))
def test_what_others_do_changes_no_action_but_whether_it_runs_alone(snapshot, others_busy):
    busier = structs.replace(snapshot, others_busy=others_busy)
    assert as_if_not_alone(decide(busier, NOW)) == as_if_not_alone(decide(snapshot, NOW))


def as_if_not_alone(action: Action) -> Action:
    return structs.replace(action, alone=False) if isinstance(action, Infer) else action
