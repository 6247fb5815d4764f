from photic.stages import Stage, Timeline
from photic.telemetry.server_timing import server_timing


def test_finished_stages_in_milliseconds():
    timeline = Timeline(1_000_000)
    timeline.end(Stage.ADMIT, 1_020_000)
    timeline.end(Stage.RECEIVE, 1_430_500)
    timeline.end(Stage.INFER, 18_000_000)
    assert server_timing(timeline) == "admit;dur=0.020, receive;dur=0.410, infer;dur=16.570"


def test_respond_is_left_out():
    timeline = Timeline(0)
    timeline.end(Stage.BATCH_WAIT, 5_000)
    timeline.end(Stage.RESPOND, 9_000)
    assert server_timing(timeline) == "batch_wait;dur=0.005"


def test_nothing_finished_is_empty():
    assert server_timing(Timeline(0)) == ""
