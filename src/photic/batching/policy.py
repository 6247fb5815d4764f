"""Why a batch leaves: the rule by which a free worker chooses what to do, as a pure function.

The rule (docs/adr/0003-batching-rule.md): downstream first, earliest deadline first. The ready
rows of a lane leave together when

* there are ``preferred_batch`` of them, or
* no body of the lane waits to be decoded, so nothing could join them soon
  (``max_queue_delay_ns`` after the oldest became ready, when somebody asked for such a delay), or
* no row is free, so nothing could join them at all, or
* the deadline of one of them is near.

Otherwise the worker decodes the body whose deadline comes first. It waits only when there is
neither a batch to run nor a body to decode.

A batch holds no more than a worker's share of what is there, ready or waiting. A row that is the
only work of the whole process runs alone, on all cores (docs/adr/0007-load-adaptive-execution.md).
"""

from msgspec import Struct

from photic.batching.clock import NEVER_NS

__all__ = ["Action", "Decode", "Infer", "LaneView", "Snapshot", "Wait", "decide"]


class LaneView(Struct, frozen=True, kw_only=True):
    """One lane at one moment; times are NEVER_NS where there is nothing to time."""

    preferred_batch: int
    waiting: int
    """Bodies that wait to be decoded."""
    waiting_deadline_ns: int = NEVER_NS
    """The earliest deadline among them."""
    ready: int
    """Decoded rows that wait to be inferred."""
    ready_deadline_ns: int = NEVER_NS
    """The earliest deadline among them."""
    ready_since_ns: int = NEVER_NS
    """When the oldest of them became ready."""
    free_rows: int
    max_queue_delay_ns: int = 0
    service_ns: int = 0
    """How long one decode and one inference take here at present."""
    runs_alone: bool = False
    """Whether it has a way to run one row on all cores."""


class Snapshot(Struct, frozen=True):
    """All lanes at one moment."""

    lanes: tuple[LaneView, ...]
    workers: int = 1
    """All workers."""
    others_busy: int = 0
    """Those in a task, beside the one that asks."""


class Infer(Struct, frozen=True):
    """Run the ``count`` ready rows of a lane whose deadlines come first."""

    lane: int
    count: int
    alone: bool = False
    """Nothing else is to be done, so that one row may have all cores."""


class Decode(Struct, frozen=True):
    """Decode the body of a lane whose deadline comes first."""

    lane: int


class Wait(Struct, frozen=True):
    """Do nothing until something changes, or until a time."""

    until_ns: int | None


Action = Infer | Decode | Wait


def decide(snapshot: Snapshot, now_ns: int) -> Action:
    """What a free worker does next."""
    lanes = list(enumerate(snapshot.lanes))
    leaving = [(lane.ready_deadline_ns, i) for i, lane in lanes if _leaves(lane, now_ns)]
    if leaving:
        _, chosen = min(leaving)
        alone = snapshot.lanes[chosen].runs_alone and _is_only_work(snapshot)
        return Infer(chosen, _batch(chosen, snapshot), alone=alone)
    decodable = [(lane.waiting_deadline_ns, i) for i, lane in lanes if _can_decode(lane)]
    if decodable:
        return Decode(min(decodable)[1])
    return Wait(min((_leave_ns(lane) for _, lane in lanes if lane.ready), default=None))


def _leaves(lane: LaneView, now_ns: int) -> bool:
    if lane.ready == 0:
        return False
    full = lane.ready >= lane.preferred_batch or lane.free_rows == 0
    return full or now_ns >= _leave_ns(lane)


def _batch(chosen: int, snapshot: Snapshot) -> int:
    """How many rows leave: no more than a worker's share of all that is there to be inferred.

    Two halves end sooner than one whole, even when the second half begins a little later. So only
    a backlog fills the batches of all workers. Who asked for a delay asked for large batches.
    """
    lane = snapshot.lanes[chosen]
    most = min(lane.ready, lane.preferred_batch)
    if lane.max_queue_delay_ns:
        return most
    work = sum(other.ready + other.waiting for other in snapshot.lanes)
    return min(most, max(1, work // snapshot.workers))


def _is_only_work(snapshot: Snapshot) -> bool:
    """Whether the process has one row and nothing else to do, as far as anybody knows."""
    rows = sum(lane.ready for lane in snapshot.lanes)
    bodies = sum(lane.waiting for lane in snapshot.lanes)
    return (rows, bodies, snapshot.others_busy) == (1, 0, 0)


def _can_decode(lane: LaneView) -> bool:
    return lane.waiting > 0 and lane.free_rows > 0


def _leave_ns(lane: LaneView) -> int:
    """When the ready rows leave though they are few: no company to expect, or a deadline near.

    Near means: after one more decode and its inference another such round would be too late.
    """
    urgent_ns = lane.ready_deadline_ns - 2 * lane.service_ns
    if lane.waiting:
        return urgent_ns
    return min(urgent_ns, lane.ready_since_ns + lane.max_queue_delay_ns)
