"""The batching rule replayed without threads: Poisson arrivals, workers and times in a simulation.

It keeps its own books (queue, ready rows, workers) and asks only ``decide`` what to do.
"""

import heapq
from collections import Counter, deque
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from photic.batching.clock import NEVER_NS
from photic.batching.policy import Decode, Infer, LaneView, Snapshot, decide

MS = 1_000_000


class Machine(Struct, frozen=True, kw_only=True):
    """How long the stages take."""

    workers: int = 2
    decode_ns: int
    infer_ns: Callable[[int], int]
    """Of a batch of that many rows, on one core."""
    alone_ns: int | None = None
    """Of one row on all cores; None: no such way."""
    disturbed_ns: int = 0
    """Of such a run when another worker begins something meanwhile."""

    @property
    def capacity(self) -> float:
        """Requests per second at batches of one."""
        return self.workers * 1e9 / (self.decode_ns + self.infer_ns(1))


class Replayed(Struct, frozen=True):
    """What came of it."""

    latencies_ns: np.ndarray
    """[requests] int64, from arrival to answer."""
    batch_sizes: Counter[int]
    alone: int

    def p99_ms(self) -> float:
        return float(np.percentile(self.latencies_ns, 99)) / MS


def poisson(requests: int, *, rate: float, seed: int) -> np.ndarray:
    """[requests] int64: times of arrival in nanoseconds, ``rate`` a second on average."""
    gaps = np.random.default_rng(seed).exponential(1e9 / rate, requests)
    return np.cumsum(gaps).astype(np.int64)


class _Run:
    """What one worker is at."""

    def __init__(self, begin_ns: int, end_ns: int, rows: list[int], action: Decode | Infer) -> None:
        self.begin_ns, self.end_ns, self.rows, self.action = begin_ns, end_ns, rows, action


class Replay:
    """One lane; a request is its number, its arrival a time."""

    def __init__(self, machine: Machine, arrivals: np.ndarray, *, preferred_batch: int) -> None:
        self.machine, self.arrivals, self.preferred = machine, arrivals, preferred_batch
        self.waiting: deque[int] = deque()
        self.ready: list[int] = []
        self.running: list[_Run] = []
        self.sizes: Counter[int] = Counter()
        self.alone = 0
        self.ends = np.zeros_like(arrivals)

    def result(self) -> Replayed:
        """Let all requests come and go."""
        coming = deque(enumerate(self.arrivals.tolist()))
        while coming or self.running:
            first_end_ns = min((run.end_ns for run in self.running), default=NEVER_NS)
            if coming and coming[0][1] <= first_end_ns:
                number, now_ns = coming.popleft()
                self.waiting.append(number)
            else:
                now_ns = first_end_ns
                self._end(next(run for run in self.running if run.end_ns == now_ns), now_ns)
            while len(self.running) < self.machine.workers and self._begin(now_ns):
                pass
        return Replayed(self.ends - self.arrivals, self.sizes, self.alone)

    def _begin(self, now_ns: int) -> bool:
        """Give an idle worker something to do, if there is something."""
        action = decide(self._snapshot(), now_ns)
        match action:
            case Decode():
                rows, lasts_ns = [self.waiting.popleft()], self.machine.decode_ns
            case Infer(_, count, alone):
                rows = [heapq.heappop(self.ready) for _ in range(count)]
                lasts_ns = self._infer_ns(count, alone=alone)
            case _:
                return False
        self._disturb()
        self.running.append(_Run(now_ns, now_ns + lasts_ns, rows, action))
        return True

    def _infer_ns(self, count: int, *, alone: bool) -> int:
        self.sizes[count] += 1
        self.alone += alone
        if alone and self.machine.alone_ns is not None:
            return self.machine.alone_ns
        return self.machine.infer_ns(count)

    def _disturb(self) -> None:
        for run in self.running:
            if isinstance(run.action, Infer) and run.action.alone:
                run.end_ns = max(run.end_ns, run.begin_ns + self.machine.disturbed_ns)

    def _end(self, run: _Run, now_ns: int) -> None:
        self.running.remove(run)
        if isinstance(run.action, Decode):
            heapq.heappush(self.ready, run.rows[0])
        else:
            self.ends[run.rows] = now_ns

    def _snapshot(self) -> Snapshot:
        decoding = sum(isinstance(run.action, Decode) for run in self.running)
        inferring = sum(len(run.rows) for run in self.running) - decoding
        rows = (self.machine.workers + 1) * self.preferred
        lane = LaneView(
            preferred_batch=self.preferred,
            waiting=len(self.waiting),
            waiting_deadline_ns=self._deadline_ns(self.waiting[0] if self.waiting else None),
            ready=len(self.ready),
            ready_deadline_ns=self._deadline_ns(self.ready[0] if self.ready else None),
            ready_since_ns=0 if self.ready else NEVER_NS,
            free_rows=rows - len(self.ready) - decoding - inferring,
            service_ns=self.machine.decode_ns + self.machine.infer_ns(self.preferred),
            runs_alone=self.machine.alone_ns is not None,
        )
        return Snapshot((lane,), self.machine.workers, others_busy=len(self.running))

    def _deadline_ns(self, number: int | None) -> int:
        return NEVER_NS if number is None else int(self.arrivals[number]) + 60_000 * MS
