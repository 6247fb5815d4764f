"""From what the generator noted to figures. Pure."""

from collections import Counter

import msgspec

from bench.harness.results import Latency, percentiles
from bench.load.trace import Exchange, Trace

__all__ = ["Verdict", "generator_share", "judge", "others_share", "why_invalid"]

MOST_LATE_ISSUE_NS = 5_000_000
MOST_GENERATOR_SHARE = 0.25
"""Of one core: beyond, the generator is part of what it measures."""
MOST_OTHERS_SHARE = 0.1
"""Of all cores: beyond, it is the neighbours that are measured."""

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


def why_invalid(late_issue_ns: Latency, generator_share: float, others_share: float) -> str:
    """Why a trial says nothing about the server; empty when it does.

    Args:
        late_issue_ns: how late requests were sent.
        generator_share: the generator's CPU time over wall time.
        others_share: what is neither generator nor server, of all cores.
    """
    if late_issue_ns.p99 > MOST_LATE_ISSUE_NS:
        return f"requests were sent late: p99 {late_issue_ns.p99 / 1e6:.1f} ms"
    if generator_share > MOST_GENERATOR_SHARE:
        return f"the generator took {generator_share:.0%} of a core"
    if others_share > MOST_OTHERS_SHARE:
        return f"other processes took {others_share:.0%} of the cores"
    return ""


def generator_share(trace: Trace) -> float:
    """CPU time over wall time."""
    return trace.cpu_ns / max(1, trace.wall_ns)


def others_share(trace: Trace, server_cpu_ns: int, cores: int) -> float:
    """CPU time of all that is neither generator nor server, over that of all cores."""
    return max(0, trace.busy_ns - trace.cpu_ns - server_cpu_ns) / max(1, trace.wall_ns * cores)


def _name(status: int) -> str:
    return "connection" if status == _CONNECTION_FAILED else str(status)


def _latency_ns(exchange: Exchange) -> int:
    return exchange.ended_ns - exchange.scheduled_ns


def _felt_ns(exchange: Exchange, deadline_ns: int) -> int:
    latency = _latency_ns(exchange)
    return latency if exchange.status == _OK else max(latency, deadline_ns)
