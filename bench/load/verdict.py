"""From what the generator noted to figures. Pure."""

from collections import Counter

import msgspec

from bench.harness.results import Latency, percentiles
from bench.load.trace import Exchange, Trace

__all__ = ["Verdict", "judge", "why_invalid"]

MOST_LATE_ISSUE_NS = 5_000_000
MOST_GENERATOR_SHARE = 0.25
"""Of one core: beyond, the generator is part of what it measures."""

_OK, _CONNECTION_FAILED, _GIVEN_UP = 200, 0, -1
_REFUSALS = {429, 503}


class Verdict(msgspec.Struct, frozen=True):
    """How one trial went: ``good + late + sum(errors.values())`` are all requests.

    ``latency_ns`` is of all requests but refusals (429, 503), from the scheduled instant. One
    without a good answer counts with the deadline at least: no server gets faster by dropping work.
    """

    good: int
    """Answered with 200 within the deadline."""
    late: int
    """Answered with 200 past the deadline, or given up by the client at the deadline."""
    errors: dict[str, int]
    """By status, "connection" where there was none."""
    latency_ns: Latency
    late_issue_ns: Latency

    @property
    def good_fraction(self) -> float:
        """Of all requests; 0 when there was none."""
        issued = self.good + self.late + sum(self.errors.values())
        return self.good / issued if issued else 0.0


def judge(exchanges: list[Exchange], deadline_ns: int) -> Verdict:
    """Sort the requests of a trial by their end."""
    answered = [x for x in exchanges if x.status == _OK]
    good = sum(_latency_ns(x) <= deadline_ns for x in answered)
    given_up = sum(x.status == _GIVEN_UP for x in exchanges)
    failed = Counter(_name(x.status) for x in exchanges if x.status not in (_OK, _GIVEN_UP))
    return Verdict(
        good=good,
        late=len(answered) - good + given_up,
        errors=dict(sorted(failed.items())),
        latency_ns=percentiles(
            [_felt_ns(x, deadline_ns) for x in exchanges if x.status not in _REFUSALS]
        ),
        late_issue_ns=percentiles([x.sent_ns - x.scheduled_ns for x in exchanges]),
    )


def why_invalid(late_issue_ns: Latency, generator_share: float) -> str:
    """Why a trial says nothing about the server; empty when it does.

    Args:
        late_issue_ns: how late requests were sent.
        generator_share: the generator's CPU time over wall time.
    """
    if late_issue_ns.p99 > MOST_LATE_ISSUE_NS:
        return f"requests were sent late: p99 {late_issue_ns.p99 / 1e6:.1f} ms"
    if generator_share > MOST_GENERATOR_SHARE:
        return f"the generator took {generator_share:.0%} of a core"
    return ""


def generator_share(trace: Trace) -> float:
    """CPU time over wall time."""
    return trace.cpu_ns / max(1, trace.wall_ns)


def _name(status: int) -> str:
    return "connection" if status == _CONNECTION_FAILED else str(status)


def _latency_ns(exchange: Exchange) -> int:
    return exchange.ended_ns - exchange.scheduled_ns


def _felt_ns(exchange: Exchange, deadline_ns: int) -> int:
    latency = _latency_ns(exchange)
    return latency if exchange.status == _OK else max(latency, deadline_ns)
