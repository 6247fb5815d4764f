"""Some clients, each sending its next photo when the last one is answered."""

import threading
import time

from msgspec import Struct

from bench.harness.client import Client, Endpoint, Reply
from bench.harness.mixes import Mix
from bench.harness.process_tree import cpu_ns
from bench.harness.results import ClosedLoopRun, percentiles
from bench.harness.server import RunningPeer

__all__ = ["Finished", "Turns", "closed_loop", "send_all"]

NS_PER_S = 1_000_000_000
SETTLE_S = 0.4
FEW_PHOTOS = 16


class Finished(Struct, frozen=True):
    """When (perf_counter_ns) and how a request ended."""

    at_ns: int
    reply: Reply


class Turns:
    """Hands a mix's photos to all clients in turn, until the time is over.

    A mix of few, unlike photos is always sent in whole rounds: servers of different speed would
    else be measured on different photos.

    Args:
        mix: Its photos.
        end_ns: When to stop, by perf_counter_ns; None: not before ``most``.
        most: Photos to hand out at most.
    """

    def __init__(self, mix: Mix, *, end_ns: int | None = None, most: int | None = None) -> None:
        self._photos = mix.photos
        self.end_ns = end_ns
        self._most = most
        self._given = 0
        self._lock = threading.Lock()

    def next(self) -> bytes | None:
        """A photo; None when the client shall stop."""
        with self._lock:
            position = self._given % len(self._photos)
            if self._given == self._most or (self._is_over() and self._may_stop(position)):
                return None
            self._given += 1
            return self._photos[position]

    def _is_over(self) -> bool:
        return self.end_ns is not None and time.perf_counter_ns() >= self.end_ns

    def _may_stop(self, position: int) -> bool:
        return position == 0 or len(self._photos) > FEW_PHOTOS


def closed_loop(
    peer: RunningPeer,
    mix: Mix,
    *,
    clients: int,
    seconds: float,
    settle_s: float = SETTLE_S,
    round_number: int = 0,
) -> ClosedLoopRun:
    """Load one server.

    Rates and latencies are of the good answers that came in ``seconds`` after ``settle_s``. CPU
    time is from idle to idle, over all good answers: no request is counted half.

    Args:
        peer: The server.
        mix: Its photos are sent in turn, over all clients.
        clients: Connections, and threads of this process.
        seconds: Length of the window.
        settle_s: What comes before.
        round_number: Noted in the result.
    """
    begin = time.perf_counter_ns() + round(settle_s * NS_PER_S)
    turns = Turns(mix, end_ns=begin + round(seconds * NS_PER_S))
    server_cpu, own_cpu = cpu_ns(peer.process), time.process_time_ns()
    finished = send_all(peer.endpoint, turns, clients)
    own_cpu = time.process_time_ns() - own_cpu
    server_cpu = cpu_ns(peer.process) - server_cpu
    good = [f for f in finished if f.reply.good]
    end = max((f.at_ns for f in finished), default=begin)
    counted = [f.reply.latency_ns for f in good if begin <= f.at_ns < end]
    return ClosedLoopRun(
        server=peer.server.name,
        mix=mix.name,
        clients=clients,
        round=round_number,
        good=len(good),
        failed=len(finished) - len(good),
        seconds=(end - begin) / NS_PER_S,
        latency_ns=percentiles(counted),
        cpu_ns_per_good=server_cpu // max(1, len(good)),
        requests_per_s=len(counted) * NS_PER_S / max(1, end - begin),
        generator_cpu_ns=own_cpu // max(1, len(finished)),
    )


def send_all(endpoint: Endpoint, turns: Turns, clients: int) -> list[Finished]:
    """Send all photos that ``turns`` hands out, each client one at a time."""
    finished: list[Finished] = []
    threads = [
        threading.Thread(target=_send, args=(endpoint, turns, finished)) for _ in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return finished


def _send(endpoint: Endpoint, turns: Turns, finished: list[Finished]) -> None:
    with Client(endpoint) as client:
        while (photo := turns.next()) is not None:
            reply = client.predict(photo)
            finished.append(Finished(time.perf_counter_ns(), reply))
            if reply.status <= 0:
                time.sleep(0.01)  # a dead server must not turn this into a busy loop
