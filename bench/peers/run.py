"""All servers in turn, in one run: alternating, so that a slow minute of the machine hits all."""

import itertools
from collections.abc import Sequence
from contextlib import ExitStack

from bench.harness.closed_loop import Turns, closed_loop, send_all
from bench.harness.mixes import Mix
from bench.harness.results import Results
from bench.harness.server import RunningPeer, Server
from bench.peers.agreement import agreement
from bench.peers.idle import Paused, pause_the_busy
from bench.peers.memory import answer_until, memory_of
from bench.peers.ort_alone import REFERENCE, floor, is_available, reference_top_1
from bench.peers.plan import Plan
from bench.peers.preprocess import preprocess_runs
from bench.peers.stages import stage_times
from bench.peers.start import Say, start_all

__all__ = ["run_peers"]

MANY = 8
PHOTIC = "photic"
ALONE = (PHOTIC, "naive", "tuned-pillow", "tuned-simplejpeg")
"""The servers that are measured with one client, too."""


def run_peers(
    results: Results, mixes: Sequence[Mix], servers: Sequence[Server], plan: Plan, say: Say
) -> None:
    """Measure all servers with all mixes, and what is to be compared with them."""
    _more_cold_starts(results, mixes[0], servers, plan, say)
    with ExitStack() as stack:
        peers = start_all(results, servers, mixes[0].photos[0], stack, say)
        _warm_up(peers, mixes)
        paused = stack.enter_context(pause_the_busy(peers, say))
        for number in range(plan.rounds):
            for mix in mixes:
                say(f"round {number + 1} of {plan.rounds}: {mix.name}")
                for peer in _rotated(peers, number):
                    with paused.awake(peer):
                        _one_turn(results, peer, mix, plan, number)
            if is_available():
                _floor(results, plan, number)
        if is_available():
            _check_answers(results, peers, mixes, paused, say)
        for peer in peers:
            say(f"memory: {peer.server.name}")
            with paused.awake(peer):
                _account(results, peer, mixes, plan)
    say("preprocessing on one thread")
    results.preprocess.extend(preprocess_runs(list(mixes), plan.preprocess_rounds))


def _more_cold_starts(
    results: Results, mix: Mix, servers: Sequence[Server], plan: Plan, say: Say
) -> None:
    """Photic's, before the others run; all others are started once."""
    ours = [server for server in servers if server.name == PHOTIC]
    for _ in range(plan.starts - 1):
        with ExitStack() as stack:
            start_all(results, ours, mix.photos[0], stack, say)


def _warm_up(peers: Sequence[RunningPeer], mixes: Sequence[Mix]) -> None:
    """Each server has seen each kind of photo, and many at once, before it is measured."""
    for peer in peers:
        for mix in mixes:
            send_all(peer.endpoint, Turns(mix, most=MANY), MANY)


def _rotated(peers: Sequence[RunningPeer], number: int) -> list[RunningPeer]:
    """Another server begins each round."""
    first = number % max(1, len(peers))
    return [*peers[first:], *peers[:first]]


def _one_turn(results: Results, peer: RunningPeer, mix: Mix, plan: Plan, number: int) -> None:
    many = closed_loop(peer, mix, clients=MANY, seconds=plan.seconds, round_number=number)
    results.closed.append(many)
    if peer.server.name in ALONE:
        alone = closed_loop(peer, mix, clients=1, seconds=plan.alone_seconds, round_number=number)
        results.closed.append(alone)


def _floor(results: Results, plan: Plan, number: int) -> None:
    """In the same rounds as the servers, in a process of its own."""
    for concurrent in sorted({1, results.fingerprint.cpus}):
        run = floor(concurrent, seconds=plan.seconds, round_number=number)
        results.ort_floor.append(run)


def _check_answers(
    results: Results, peers: Sequence[RunningPeer], mixes: Sequence[Mix], paused: Paused, say: Say
) -> None:
    for mix in mixes:
        say(f"agreement: {mix.name}")
        expected = reference_top_1(mix)
        for peer in peers:
            with paused.awake(peer):
                results.agreement.append(agreement(peer, mix, REFERENCE, expected))


def _account(
    results: Results,
    peer: RunningPeer,
    mixes: Sequence[Mix],
    plan: Plan,
) -> None:
    """Memory after the work; of Photic after a given number of answers, and its stages."""
    given = sum(run.good for run in results.closed if run.server == peer.server.name)
    if peer.server.name == PHOTIC:
        wanted = plan.memory_requests
        given = answer_until(peer, mixes, given=given, wanted=wanted, clients=MANY)
        for mix, clients in itertools.product(mixes, (1, MANY)):
            requests = plan.stage_requests
            results.stages += stage_times(peer, mix, clients=clients, requests=requests)
    results.memory.append(memory_of(peer, given))
