"""What the servers hold after their work."""

from collections.abc import Sequence

from bench.harness.closed_loop import Turns, send_all
from bench.harness.mixes import Mix
from bench.harness.process_tree import memory_bytes
from bench.harness.results import MemoryRun
from bench.harness.server import RunningPeer

__all__ = ["answer_until", "memory_of"]


def answer_until(
    peer: RunningPeer, mixes: Sequence[Mix], *, given: int, wanted: int, clients: int
) -> int:
    """Have the server answer until it has given ``wanted`` answers.

    Large photos at last: what they leave behind counts, too.

    Returns:
        How many good answers it has given.
    """
    for mix in mixes:
        share = len(mix.photos) if mix is not mixes[0] else max(0, wanted - given)
        finished = send_all(peer.endpoint, Turns(mix, most=share), clients)
        given += sum(f.reply.good for f in finished)
    return given


def memory_of(peer: RunningPeer, answers: int) -> MemoryRun:
    """Of the process tree, now."""
    memory = memory_bytes(peer.process)
    return MemoryRun(peer.server.name, answers, memory.pss, memory.rss)
