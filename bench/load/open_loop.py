"""One trial: Poisson arrivals at one rate at one server, judged from the scheduled instants."""

import time

import psutil
from msgspec import Struct

from bench.harness.client import Endpoint
from bench.harness.mixes import Mix
from bench.harness.process_tree import cpu_ns
from bench.harness.results import OpenLoopRun
from bench.harness.server import RunningPeer
from bench.load.arrivals import Arrivals
from bench.load.generator import Order, generate
from bench.load.photic_stats import BatchCounts, batches
from bench.load.trace import Trace
from bench.load.verdict import generator_share, judge, others_share, why_invalid

__all__ = ["DEADLINE_MS", "Offer", "open_loop"]

DEADLINE_MS = 250

_IDLE_LOOK_S = 0.2
_IDLE_NS = 10_000_000
_IDLE_PATIENCE_S = 15.0


class Offer(Struct, frozen=True, kw_only=True):
    """What is asked of a server.

    Attributes:
        rate: Requests per second.
        seconds: How long.
        deadline_ms: When the client gives up.
        seed: The same seed and rate give every server the same arrivals and photos.
        fraction_of_r, reference, round: Noted in the result.
    """

    rate: float
    seconds: float
    deadline_ms: int = DEADLINE_MS
    seed: int = 1
    fraction_of_r: float = 0.0
    reference: str = ""
    round: int = 0

    @property
    def deadline_ns(self) -> int:
        return self.deadline_ms * 1_000_000


class _Spent(Struct, frozen=True):
    """What the server did meanwhile, by other accounts than the client's."""

    cpu_ns: int
    batches: BatchCounts


def open_loop(peer: RunningPeer, mix: Mix, offer: Offer) -> OpenLoopRun:
    """Send an idle server what is offered, and wait until it is idle again.

    The client gives up at the deadline and closes the connection; every server is told the
    deadline by ``X-Request-Timeout-Ms``. The server's CPU time includes what it spends on requests
    that were given up.
    """
    order = Order(
        address=peer.url[:2],
        requests=_requests(peer.endpoint, mix, offer.deadline_ms),
        arrivals=Arrivals(offer.rate, offer.seconds, offer.seed, len(mix.photos)),
        deadline_ns=offer.deadline_ns,
    )
    before, cpu = _batches(peer), cpu_ns(peer.process)
    trace = generate(order)
    _wait_until_idle(peer)
    spent = _Spent(cpu_ns(peer.process) - cpu, _batches(peer).since(before))
    return _entry(peer.server.name, mix.name, offer, trace, spent)


def _entry(server: str, mix: str, offer: Offer, trace: Trace, spent: _Spent) -> OpenLoopRun:
    verdict = judge(trace.exchanges, offer.deadline_ns)
    share = generator_share(trace)
    others = others_share(trace, spent.cpu_ns, psutil.cpu_count())
    invalid = why_invalid(verdict.late_issue_ns, share, others)
    return OpenLoopRun(
        server=server,
        mix=mix,
        rate=offer.rate,
        fraction_of_r=offer.fraction_of_r,
        reference=offer.reference,
        seconds=offer.seconds,
        issued=len(trace.exchanges),
        good_in_deadline=verdict.good,
        late=verdict.late,
        errors=verdict.errors,
        latency_ns=verdict.latency_ns,
        goodput=verdict.good / offer.seconds,
        late_issue_ns=verdict.late_issue_ns,
        valid=not invalid,
        why_invalid=invalid,
        batch_sizes=spent.batches.sizes,
        alone=spent.batches.alone,
        connections=trace.connections,
        generator_cpu_ns=trace.cpu_ns // max(1, len(trace.exchanges)),
        generator_share=share,
        others_share=others,
        generator_priority=trace.priority,
        cpu_ns_per_good=spent.cpu_ns // max(1, verdict.good),
        deadline_ms=float(offer.deadline_ms),
        round=offer.round,
    )


def _requests(endpoint: Endpoint, mix: Mix, deadline_ms: int) -> tuple[bytes, ...]:
    headers = f"X-Request-Timeout-Ms: {deadline_ms}\r\n"
    return tuple(
        endpoint.request_head(len(photo), headers) + photo + endpoint.after for photo in mix.photos
    )


def _batches(peer: RunningPeer) -> BatchCounts:
    return batches(peer) if peer.server.name.startswith("photic") else BatchCounts()


def _wait_until_idle(peer: RunningPeer) -> None:
    """What a server still owes to requests given up must not fall on the next trial."""
    ends = time.monotonic() + _IDLE_PATIENCE_S
    used = cpu_ns(peer.process)
    while time.monotonic() < ends:
        time.sleep(_IDLE_LOOK_S)
        before, used = used, cpu_ns(peer.process)
        if used - before <= _IDLE_NS:
            return
