"""The open-loop part of the bench, what matters most first."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack

from bench.harness.mixes import Mix
from bench.harness.results import Results
from bench.harness.server import PeerFailed, RunningPeer, Server
from bench.load.ledger import Ledger, Share
from bench.load.plan import FULL, QUICK
from bench.peers.registry import missing, photic

__all__ = ["run"]

MAIN = ("photic", "naive", "tuned-pillow")
NAIVE_FRACTION = 0.7
PREFERRED_BATCHES = (1, 4)


def run(
    results: Results,
    mix: Mix,
    servers: Sequence[Server],
    *,
    quick: bool,
    save: Callable[[], None],
    say: Callable[[str], None],
) -> None:
    """Measure R and the open loop at fractions of it.

    The main servers with the comparison at the naive server's R, Photic's batch sizes, then the
    other servers. Quick: the first two.

    Args:
        results: gets ``open``, ``capacity`` and ``not_run``.
        mix: the one the bars speak of.
        servers: any of the registry's.
        quick: about a minute instead of a quarter of an hour.
        save: called after each entry.
        say: gets a line about each.
    """
    ledger = Ledger(results, QUICK if quick else FULL, save, say)
    present = [server for server in servers if missing(server) is None]
    main = [server for server in present if server.name in MAIN]
    if quick:
        _compare(ledger, mix, [server for server in main if server.name in MAIN[:2]])
        return
    r = _compare(ledger, mix, main)
    _batches(ledger, mix, r.get("photic", 0.0))
    for server in present:
        if server not in main:
            _alone(ledger, mix, server)


def _compare(ledger: Ledger, mix: Mix, servers: Sequence[Server]) -> dict[str, float]:
    """All in turns: R of each, 70 % of the naive server's R, fractions of each one's own."""
    with ExitStack() as stack:
        peers, plan = _start(stack, ledger, mix, servers), ledger.plan
        r = {
            peer.server.name: ledger.capacity(
                peer, mix, seconds=plan.trial_s, tolerance=plan.tolerance
            )
            for peer in peers
        }
        _beside_naive(ledger, mix, peers, r.get("naive", 0.0))
        for fraction in plan.fractions:
            for peer in peers:
                share = Share(r[peer.server.name], fraction, "own R")
                _own(ledger, mix, peer, share, plan.sweep_s)
    return r


def _beside_naive(ledger: Ledger, mix: Mix, peers: Sequence[RunningPeer], r: float) -> None:
    if r == 0.0:
        ledger.not_run(f"{NAIVE_FRACTION:.0%} of the naive server's R", "it has none")
        return
    for round_number in range(1, ledger.plan.rounds + 1):
        for peer in peers:
            ledger.trial(
                peer,
                mix,
                Share(r, NAIVE_FRACTION, "naive R"),
                seconds=ledger.plan.trial_s,
                round_number=round_number,
            )


def _own(ledger: Ledger, mix: Mix, peer: RunningPeer, share: Share, seconds: float) -> None:
    what = f"{peer.server.name} at {share.fraction:.0%} of its R, {mix.name}"
    if share.r == 0.0:
        ledger.not_run(what, "it carries no rate that was tried")
    elif ledger.has_time(what):
        ledger.trial(peer, mix, share, seconds=seconds)


def _alone(ledger: Ledger, mix: Mix, server: Server) -> None:
    if not ledger.has_time(f"{server.name}, {mix.name}"):
        return
    plan = ledger.plan
    with ExitStack() as stack:
        for peer in _start(stack, ledger, mix, [server]):
            r = ledger.capacity(peer, mix, seconds=plan.side_trial_s, tolerance=plan.side_tolerance)
            for fraction in plan.fractions:
                share = Share(r, fraction, "own R")
                _own(ledger, mix, peer, share, plan.side_trial_s)


def _batches(ledger: Ledger, mix: Mix, r: float) -> None:
    """Photic at two values of ``preferred_batch``, in turns: batch sizes and p99."""
    if r == 0.0 or not ledger.has_time("batch sizes"):
        return
    variants = [
        photic(f"photic-preferred-{rows}", "--preferred-batch", str(rows))
        for rows in PREFERRED_BATCHES
    ]
    with ExitStack() as stack:
        peers = _start(stack, ledger, mix, variants)
        for round_number in range(1, ledger.plan.batch_rounds + 1):
            for fraction in ledger.plan.batch_fractions:
                for peer in peers:
                    ledger.trial(
                        peer,
                        mix,
                        Share(r, fraction, "Photic's R"),
                        seconds=ledger.plan.sweep_s,
                        round_number=round_number,
                    )


def _start(
    stack: ExitStack, ledger: Ledger, mix: Mix, servers: Iterable[Server]
) -> list[RunningPeer]:
    """Those that start; they stop with the stack."""
    peers: list[RunningPeer] = []
    for server in servers:
        try:
            peers.append(stack.enter_context(RunningPeer(server, mix.photos[0])))
        except PeerFailed as failure:
            ledger.not_run(server.name, str(failure))
    return peers
