"""Runs trials and enters each in the results at once, so that an interruption loses only one."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
from msgspec import Struct

from bench.harness.closed_loop import closed_loop
from bench.harness.mixes import Mix
from bench.harness.results import CapacityRun, OpenLoopRun, Results
from bench.harness.server import RunningPeer
from bench.load.capacity import Search, highest_rate
from bench.load.open_loop import DEADLINE_MS, Offer, open_loop
from bench.load.plan import Plan

__all__ = ["Ledger", "Share", "deadline_ms"]

_LARGE_PHOTO = 1_000_000
_LARGE_DEADLINE_MS = 2_000
_CLIENTS = 3
"""Enough to keep two cores busy; with more the naive server loses a third of its rate."""
_GUESS_S = 2.0
_GUESS = 0.9
"""Of a closed loop's rate: where the search for R begins."""


class Share(Struct, frozen=True):
    """A rate: a fraction of a server's R.

    Attributes:
        r: Requests per second.
        fraction: Of it.
        reference: Whose R it is, as in :class:`OpenLoopRun`.
    """

    r: float
    fraction: float
    reference: str


class Ledger:
    """One run's trials.

    Args:
        results: gets the trials.
        plan: how long, and until when.
        save: called after each entry.
        say: gets a line about each.
    """

    def __init__(
        self,
        results: Results,
        plan: Plan,
        save: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self.plan = plan
        self._results = results
        self._save = save
        self._say = say
        self._ends = time.monotonic() + plan.budget_s

    def has_time(self, what: str) -> bool:
        """Whether to begin; if not, ``what`` is noted as not run."""
        if time.monotonic() < self._ends:
            return True
        self.not_run(what, f"its time was over ({self.plan.budget_s:.0f} s for the open loop)")
        return False

    def not_run(self, what: str, why: str) -> None:
        self._results.not_run[f"open loop: {what}"] = why
        self._save()
        self._say(f"not run: {what}: {why}")

    def trial(
        self,
        peer: RunningPeer,
        mix: Mix,
        share: Share,
        *,
        seconds: float,
        round_number: int = 1,
    ) -> None:
        """Offer a share of R; an invalid trial is entered as such and run once more."""
        offer = Offer(
            rate=share.fraction * share.r,
            seconds=seconds,
            deadline_ms=deadline_ms(mix),
            seed=round_number,
            fraction_of_r=share.fraction,
            reference=share.reference,
            round=round_number,
        )
        with self._outliving(peer, mix):
            for _ in range(2):
                run = open_loop(peer, mix, offer)
                self._results.open.append(run)
                self._save()
                self._say(_line(run))
                if run.valid:
                    return

    def capacity(self, peer: RunningPeer, mix: Mix, *, seconds: float, tolerance: float) -> float:
        """R, entered; 0 when the server carries no rate that was tried."""
        name, deadline = peer.server.name, deadline_ms(mix)

        def trial(rate: float, attempt: int) -> OpenLoopRun:
            offer = Offer(rate=rate, seconds=seconds, deadline_ms=deadline, seed=attempt)
            return open_loop(peer, mix, offer)

        search, r = Search(trial), 0.0
        with self._outliving(peer, mix):
            closed = closed_loop(peer, mix, clients=_CLIENTS, seconds=_GUESS_S)
            start = max(1.0, _GUESS * closed.requests_per_s)
            r = highest_rate(search.carries, start, tolerance=tolerance)
        self._results.capacity.append(CapacityRun(name, mix.name, deadline, r, search.trials))
        self._save()
        self._say(f"{name}, {mix.name}: R = {r:.1f}/s in {len(search.trials)} trials")
        return r

    @contextmanager
    def _outliving(self, peer: RunningPeer, mix: Mix) -> Iterator[None]:
        """A server that dies under load ends its own trials, not the bench."""
        try:
            yield
        except psutil.NoSuchProcess:
            self.not_run(f"{peer.server.name}, {mix.name}", "the server ended under load")


def _line(run: OpenLoopRun) -> str:
    where = f"{run.server}, {run.mix}, {run.fraction_of_r:.0%} of {run.reference}"
    good = run.good_in_deadline / max(1, run.issued)
    validity = "" if run.valid else f"; invalid: {run.why_invalid}"
    p99_ms = run.latency_ns.p99 / 1e6
    return f"{where}: {run.rate:.1f}/s, p99 {p99_ms:.1f} ms, {good:.1%} in time{validity}"


def deadline_ms(mix: Mix) -> int:
    """250 ms; for photos of megabytes, which take that long to decode, 2 s."""
    mean = sum(map(len, mix.photos)) / len(mix.photos)
    return _LARGE_DEADLINE_MS if mean > _LARGE_PHOTO else DEADLINE_MS
