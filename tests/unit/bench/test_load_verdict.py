from bench.harness.results import Latency
from bench.load.trace import Exchange, Trace
from bench.load.verdict import judge, others_share, why_invalid

MS = 1_000_000
DEADLINE_NS = 250 * MS


def exchange(latency_ms: float, status: int = 200, *, late_issue_ms: float = 0) -> Exchange:
    due = 1_000 * MS
    sent = due + round(late_issue_ms * MS)
    return Exchange(due, sent, due + round(latency_ms * MS), status)


def test_every_request_is_counted_once() -> None:
    ends = [
        exchange(10),
        exchange(250),
        exchange(250.1),
        exchange(255, -1),
        exchange(1, 429),
        exchange(1, 429),
        exchange(250, 504),
        exchange(0, 0),
    ]
    verdict = judge(ends, DEADLINE_NS)
    assert (verdict.good, verdict.late) == (2, 2)
    assert verdict.errors == {"429": 2, "504": 1, "connection": 1}
    assert verdict.good_fraction == 2 / 8


def test_latency_counts_from_the_scheduled_instant() -> None:
    verdict = judge([exchange(200, late_issue_ms=150)], DEADLINE_NS)
    assert verdict.latency_ns == Latency(200 * MS, 200 * MS, 200 * MS)
    assert verdict.late_issue_ns.p99 == 150 * MS


def test_an_answer_is_late_when_the_request_was_sent_late() -> None:
    assert judge([exchange(300, late_issue_ms=150)], DEADLINE_NS).late == 1


def test_dropped_work_is_not_fast_but_refusals_are_no_latency() -> None:
    ends = [exchange(10), exchange(2, 0), exchange(3, 500), exchange(1, 429), exchange(1, 503)]
    latency = judge(ends, DEADLINE_NS).latency_ns
    assert latency == Latency(DEADLINE_NS, DEADLINE_NS, DEADLINE_NS)


def test_percentiles_by_nearest_rank() -> None:
    verdict = judge([exchange(ms) for ms in range(1, 201)], DEADLINE_NS)
    assert verdict.latency_ns == Latency(100 * MS, 180 * MS, 198 * MS)


def test_no_requests_are_no_success() -> None:
    assert judge([], DEADLINE_NS).good_fraction == 0.0


def test_a_prompt_generator_is_valid() -> None:
    assert why_invalid(Latency(0, 0, 5 * MS), 0.25, 0.1) == ""


def test_a_late_generator_is_named() -> None:
    assert why_invalid(Latency(0, 0, 6 * MS), 0.1, 0) == "requests were sent late: p99 6.0 ms"


def test_a_greedy_generator_is_named() -> None:
    assert why_invalid(Latency(0, 0, 0), 0.3, 0) == "the generator took 30% of a core"


def test_busy_neighbours_are_named() -> None:
    assert why_invalid(Latency(0, 0, 0), 0.1, 0.4) == "other processes took 40% of the cores"


def test_the_others_are_what_neither_server_nor_generator_took() -> None:
    trace = Trace([], wall_ns=10_000, cpu_ns=500, busy_ns=15_000, connections=1, priority="rr")
    assert others_share(trace, server_cpu_ns=12_500, cores=2) == 0.1
    # a server that still works off its queue after the trial
    assert others_share(trace, server_cpu_ns=20_000, cores=2) == 0.0
