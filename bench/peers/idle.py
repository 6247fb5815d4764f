"""Servers that wait for their turn must not take part in the others'."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import psutil

from bench.harness.process_tree import cpu_ns, members
from bench.harness.server import RunningPeer

__all__ = ["Paused", "pause_the_busy"]

WATCHED_S = 2.0
BUSY = 0.01
"""Share of a core from which an idle server would disturb."""


class Paused:
    """Servers that are stopped (SIGSTOP) outside of their turns."""

    def __init__(self, peers: Sequence[RunningPeer]) -> None:
        self._peers = list(peers)
        for peer in self._peers:
            _signal(peer, signal.SIGSTOP)

    @contextmanager
    def awake(self, peer: RunningPeer) -> Iterator[None]:
        """Let it run meanwhile, if it is one of them."""
        if peer not in self._peers:
            yield
            return
        _signal(peer, signal.SIGCONT)
        try:
            yield
        finally:
            _signal(peer, signal.SIGSTOP)

    def wake_all(self) -> None:
        """Let all run, so that they can end."""
        for peer in self._peers:
            _signal(peer, signal.SIGCONT)


@contextmanager
def pause_the_busy(peers: Sequence[RunningPeer], say: Callable[[str], None]) -> Iterator[Paused]:
    """Watch all servers idle for two seconds; stop those that use more than 1 % of a core."""
    before = [cpu_ns(peer.process) for peer in peers]
    time.sleep(WATCHED_S)
    allowed = BUSY * WATCHED_S * 1e9
    busy = [
        peer
        for peer, start in zip(peers, before, strict=True)
        if cpu_ns(peer.process) - start > allowed
    ]
    for peer in busy:
        say(f"{peer.server.name} is busy when idle: stopped between its turns")
    paused = Paused(busy)
    try:
        yield paused
    finally:
        paused.wake_all()


def _signal(peer: RunningPeer, number: signal.Signals) -> None:
    for process in members(peer.process):
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)
