"""One trial: Poisson arrivals at one rate at one server, judged from the scheduled instants."""

import time

import psutil

from bench.harness.client import Endpoint
from bench.harness.mixes import Mix
from bench.harness.process_tree import cpu_ns
from bench.harness.results import OpenLoopRun
from bench.harness.server import RunningPeer
from bench.load.arrivals import Arrivals
from bench.load.generator import Order, generate
from bench.load.photic_stats import BatchCounts, batches
from bench.load.verdict import generator_share, judge, others_share, why_invalid

__all__ = ["DEADLINE_MS", "open_loop"]

DEADLINE_MS = 250

_IDLE_LOOK_S = 0.2
_IDLE_NS = 10_000_000
_IDLE_PATIENCE_S = 15.0


def open_loop(
    peer: RunningPeer,
    mix: Mix,
    *,
    rate: float,
    seconds: float,
    deadline_ms: int = DEADLINE_MS,
    seed: int = 1,
    fraction_of_r: float = 0.0,
    reference: str = "",
    round_number: int = 0,
) -> OpenLoopRun:
    """Offer ``rate`` requests per second to an idle server, and wait until it is idle again.

    The client gives up at the deadline and closes the connection; every server is told the
    deadline by ``X-Request-Timeout-Ms``. The server's CPU time includes what it spends on requests
    that were given up.

    Args:
        seed: the same seed and rate give every server the same arrivals and photos.
        fraction_of_r, reference, round_number: noted in the result.
    """
    deadline_ns = deadline_ms * 1_000_000
    order = Order(
        address=peer.url[:2],
        requests=_requests(peer.endpoint, mix, deadline_ms),
        arrivals=Arrivals(rate, seconds, seed, len(mix.photos)),
        deadline_ns=deadline_ns,
    )
    before, cpu = _batches(peer), cpu_ns(peer.process)
    trace = generate(order)
    _wait_until_idle(peer)
    cpu = cpu_ns(peer.process) - cpu
    counts = _batches(peer).since(before)
    verdict = judge(trace.exchanges, deadline_ns)
    share, others = generator_share(trace), others_share(trace, cpu, psutil.cpu_count())
    invalid = why_invalid(verdict.late_issue_ns, share, others)
    return OpenLoopRun(
        server=peer.server.name,
        mix=mix.name,
        rate=rate,
        fraction_of_r=fraction_of_r,
        reference=reference,
        seconds=seconds,
        issued=len(trace.exchanges),
        good_in_deadline=verdict.good,
        late=verdict.late,
        errors=verdict.errors,
        latency_ns=verdict.latency_ns,
        goodput=verdict.good / seconds,
        late_issue_ns=verdict.late_issue_ns,
        valid=not invalid,
        why_invalid=invalid,
        batch_sizes=counts.sizes,
        alone=counts.alone,
        connections=trace.connections,
        generator_cpu_ns=trace.cpu_ns // max(1, len(trace.exchanges)),
        generator_share=share,
        others_share=others,
        generator_priority=trace.priority,
        cpu_ns_per_good=cpu // max(1, verdict.good),
        deadline_ms=float(deadline_ms),
        round=round_number,
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
