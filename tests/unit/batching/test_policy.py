"""The batching rule as a table: a snapshot, the time, and what a free worker does then."""

import pytest

from photic.batching.policy import Decode, Infer, LaneView, Snapshot, Wait, decide

MS = 1_000_000
NOW = 1_000 * MS
FAR = NOW + 2_000 * MS


def lane(**changes: int) -> LaneView:
    """An idle lane with preferred batch 4, with what a row or a body brings along."""
    view = {"preferred_batch": 4, "waiting": 0, "ready": 0, "free_rows": 8}
    if changes.get("waiting"):
        view["waiting_deadline_ns"] = FAR
    if changes.get("ready"):
        view |= {"ready_deadline_ns": FAR, "ready_since_ns": NOW}
    return LaneView(**(view | changes))


ONE_LANE = [
    ("nothing to do", {}, Wait(None)),
    ("a body waits", {"waiting": 1}, Decode(0)),
    ("a lone row leaves at once", {"ready": 1}, Infer(0, 1)),
    ("so do a few, when nothing can join them", {"ready": 3}, Infer(0, 3)),
    ("few rows wait while a body can join them", {"ready": 3, "waiting": 1}, Decode(0)),
    ("a full batch leaves before the next decode", {"ready": 4, "waiting": 9}, Infer(0, 4)),
    ("no batch is larger than preferred", {"ready": 6, "waiting": 9}, Infer(0, 4)),
    ("batches of one: infer first", {"preferred_batch": 1, "ready": 1, "waiting": 9}, Infer(0, 1)),
    ("no free row: infer what is ready", {"ready": 2, "waiting": 5, "free_rows": 0}, Infer(0, 2)),
    ("no free row and none ready", {"waiting": 5, "free_rows": 0}, Wait(None)),
    (
        "a row whose deadline is near leaves at once",
        {"ready": 1, "waiting": 5, "ready_deadline_ns": NOW + 40 * MS, "service_ns": 20 * MS},
        Infer(0, 1),
    ),
    (
        "one whose deadline is a little further does not",
        {"ready": 1, "waiting": 5, "ready_deadline_ns": NOW + 40 * MS + 1, "service_ns": 20 * MS},
        Decode(0),
    ),
    (
        "a delay that somebody asked for",
        {"ready": 1, "max_queue_delay_ns": 5 * MS},
        Wait(NOW + 5 * MS),
    ),
    (
        "counts from when the oldest row became ready",
        {"ready": 2, "max_queue_delay_ns": 5 * MS, "ready_since_ns": NOW - 3 * MS},
        Wait(NOW + 2 * MS),
    ),
    (
        "and is not exceeded",
        {"ready": 2, "max_queue_delay_ns": 5 * MS, "ready_since_ns": NOW - 5 * MS},
        Infer(0, 2),
    ),
    (
        "nor kept when the batch is full",
        {"ready": 4, "max_queue_delay_ns": 5 * MS},
        Infer(0, 4),
    ),
    (
        "nor when a deadline is near",
        {"ready": 1, "max_queue_delay_ns": 50 * MS, "ready_deadline_ns": NOW + 9 * MS,
         "service_ns": 5 * MS},
        Infer(0, 1),
    ),
    (
        "a deadline that will be near shortens it",
        {"ready": 1, "max_queue_delay_ns": 50 * MS, "ready_deadline_ns": NOW + 30 * MS,
         "service_ns": 5 * MS},
        Wait(NOW + 20 * MS),
    ),
    (
        "it delays no decode",
        {"ready": 1, "waiting": 1, "max_queue_delay_ns": 5 * MS},
        Decode(0),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "action"), [row[1:] for row in ONE_LANE], ids=[row[0] for row in ONE_LANE]
)
def test_one_lane(changes, action):
    assert decide(Snapshot((lane(**changes),)), NOW) == action


SEVERAL_LANES = [
    ("no lanes", [], Wait(None)),
    (
        "the earlier body",
        [{"waiting": 1}, {"waiting": 1, "waiting_deadline_ns": FAR - 1}],
        Decode(1),
    ),
    ("the earlier batch", [{"ready": 4}, {"ready": 1, "ready_deadline_ns": FAR - 1}], Infer(1, 1)),
    ("equal deadlines: the first lane", [{"waiting": 1}, {"waiting": 1}], Decode(0)),
    (
        "downstream first, whatever the deadlines",
        [{"waiting": 9, "waiting_deadline_ns": NOW + 1}, {"ready": 1}],
        Infer(1, 1),
    ),
    (
        "another lane's backlog holds no row back",
        [{"waiting": 99, "ready": 3}, {"ready": 1}],
        Infer(1, 1),
    ),
    (
        "another lane's lack of rows holds no body back",
        [{"waiting": 9, "free_rows": 0, "waiting_deadline_ns": NOW + 1}, {"waiting": 1}],
        Decode(1),
    ),
    (
        "a delay is spent on another lane's bodies",
        [{"ready": 1, "max_queue_delay_ns": 5 * MS}, {"waiting": 1}],
        Decode(1),
    ),
    (
        "the earliest of the delays",
        [
            {"ready": 1, "max_queue_delay_ns": 9 * MS},
            {},
            {"ready": 1, "max_queue_delay_ns": 5 * MS},
        ],
        Wait(NOW + 5 * MS),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lanes", "action"), [row[1:] for row in SEVERAL_LANES], ids=[row[0] for row in SEVERAL_LANES]
)
def test_several_lanes(lanes, action):
    assert decide(Snapshot(tuple(lane(**changes) for changes in lanes)), NOW) == action


def may_run_alone(**changes: int) -> dict[str, int]:
    return {"runs_alone": True} | changes


ALONE = [
    ("a lone row, nothing else", [may_run_alone(ready=1)], 0, True),
    ("of a lane that has no way to", [{"ready": 1}], 0, False),
    ("another worker is busy", [may_run_alone(ready=1)], 1, False),
    ("a second row is ready", [may_run_alone(ready=2)], 0, False),
    ("a second row, at batches of one", [may_run_alone(ready=2, preferred_batch=1)], 0, False),
    ("a body waits behind a full batch", [may_run_alone(ready=4, waiting=1)], 0, False),
    (
        "a body waits, and no row is free for it",
        [may_run_alone(ready=1, waiting=1, free_rows=0)],
        0,
        False,
    ),
    ("another lane is idle", [may_run_alone(ready=1), {}], 0, True),
    (
        "another lane's row is ready",
        [may_run_alone(ready=1), {"ready": 1, "ready_deadline_ns": FAR + 1}],
        0,
        False,
    ),
    ("another lane's body waits", [may_run_alone(ready=1), {"waiting": 1}], 0, False),
]


@pytest.mark.parametrize(
    ("lanes", "others_busy", "alone"), [row[1:] for row in ALONE], ids=[row[0] for row in ALONE]
)
def test_a_row_has_all_cores_only_if_there_is_nothing_else_to_do(lanes, others_busy, alone):
    views = tuple(lane(**changes) for changes in lanes)
    action = decide(Snapshot(views, 3, others_busy), NOW)
    assert isinstance(action, Infer)
    assert action.alone is alone


SHARES = [
    ("one worker takes all", 1, {"ready": 3}, 3),
    ("two take half each", 2, {"ready": 4}, 2),
    ("an odd row is left for who is free next", 2, {"ready": 3}, 1),
    ("at least one row", 8, {"ready": 4}, 1),
    ("no more than preferred", 2, {"ready": 12}, 4),
    ("bodies are work for others, too", 2, {"ready": 4, "waiting": 2}, 3),
    ("a backlog fills the batch", 2, {"ready": 4, "waiting": 4}, 4),
    ("a delay was asked for batches", 2, {"ready": 4, "max_queue_delay_ns": 5 * MS}, 4),
]


@pytest.mark.parametrize(
    ("workers", "changes", "count"), [row[1:] for row in SHARES], ids=[row[0] for row in SHARES]
)
@pytest.mark.parametrize("busy", [0, 1])
def test_a_batch_is_no_more_than_a_workers_share(workers, changes, count, busy):
    snapshot = Snapshot((lane(**changes),), workers, min(busy, workers - 1))
    assert decide(snapshot, NOW) == Infer(0, count)


def test_another_lanes_backlog_fills_the_batch_too():
    lanes = lane(ready=4), lane(waiting=3, ready=1)
    assert decide(Snapshot(lanes, 2), NOW) == Infer(0, 4)
