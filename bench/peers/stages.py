"""Where Photic's time goes, by its own account: the ``Server-Timing`` of its answers."""

import re
from collections import defaultdict
from collections.abc import Iterator

from bench.harness.closed_loop import Turns, send_all
from bench.harness.mixes import Mix
from bench.harness.results import StageTime
from bench.harness.server import RunningPeer

__all__ = ["durations_ns", "stage_times"]

_STAGE = re.compile(rb"(\w+);dur=([0-9.]+)")
NS_PER_MS = 1_000_000


def durations_ns(head: bytes) -> dict[str, int]:
    """The stages in an answer's header lines."""
    _, _, rest = head.partition(b"\r\nserver-timing:")
    line = rest.partition(b"\r\n")[0]
    return {
        name.decode(): round(float(milliseconds) * NS_PER_MS)
        for name, milliseconds in _STAGE.findall(line)
    }


def stage_times(peer: RunningPeer, mix: Mix, *, clients: int, requests: int) -> Iterator[StageTime]:
    """The mean of each stage over so many requests."""
    sums: dict[str, int] = defaultdict(int)
    good = [f.reply for f in send_all(peer.endpoint, Turns(mix, most=requests), clients)]
    for reply in good:
        for stage, duration in durations_ns(reply.head).items():
            sums[stage] += duration
    for stage, total in sums.items():
        yield StageTime(mix.name, clients, stage, total // len(good))
