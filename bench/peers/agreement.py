"""Whether a server says the same of a photo as the reference does."""

from bench.harness.closed_loop import Turns, send_all
from bench.harness.mixes import Mix
from bench.harness.results import Agreement
from bench.harness.server import RunningPeer

__all__ = ["agreement"]


def agreement(peer: RunningPeer, mix: Mix, reference: str, expected: list[int]) -> Agreement:
    """Send each photo once, one at a time; a failed request agrees with nothing."""
    finished = send_all(peer.endpoint, Turns(mix, most=len(mix.photos)), clients=1)
    same = sum(f.reply.top1 == top_1 for f, top_1 in zip(finished, expected, strict=True))
    return Agreement(peer.server.name, mix.name, reference, same, len(mix.photos))
