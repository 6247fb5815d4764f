"""Brings outcomes from the worker threads home to whoever waits for them."""

import asyncio
import threading
from collections.abc import Iterable, Sequence

from photic.errors import RequestError
from photic.serving.answer import Answer
from photic.serving.request import AnswerFuture, InferenceRequest

__all__ = ["Completion", "Outcome"]

Outcome = Answer | RequestError


class Completion:
    """Settles the futures of requests: one wake-up of each event loop per batch."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wasted = 0

    @property
    def wasted(self) -> int:
        """Answers that were computed and came too late for anybody."""
        return self._wasted

    def deliver(self, outcomes: Sequence[tuple[InferenceRequest, Outcome]]) -> None:
        """Take the outcomes of one batch home; called on a worker thread."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[AnswerFuture, Outcome]]] = {}
        for request, outcome in outcomes:
            future = request.future
            if isinstance(future, asyncio.Future):
                by_loop.setdefault(future.get_loop(), []).append((future, outcome))
            elif future is not None:
                self._settle([(future, outcome)])
        for loop, settled in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._settle, settled)
            except RuntimeError:  # the loop is closed, and with it everybody who waited
                self._count_wasted(outcome for _, outcome in settled)

    def _settle(self, settled: Sequence[tuple[AnswerFuture, Outcome]]) -> None:
        late: list[Outcome] = []
        for future, outcome in settled:
            if future.done():
                late.append(outcome)
            elif isinstance(outcome, RequestError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        if late:
            self._count_wasted(late)

    def _count_wasted(self, late: Iterable[Outcome]) -> None:
        answers = sum(isinstance(outcome, Answer) for outcome in late)
        if answers:
            with self._lock:
                self._wasted += answers
