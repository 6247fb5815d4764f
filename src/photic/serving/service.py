"""All models of the process behind one door: submit a request, await its answer."""

import asyncio
import concurrent.futures
from typing import TYPE_CHECKING

from photic.batching.batcher import Batcher, WorkerHealth
from photic.batching.clock import MONOTONIC, Clock
from photic.batching.lane_state import LaneCounts
from photic.batching.work_queue import deadline_exceeded
from photic.errors import ModelNotFound
from photic.serving.admission import Admission
from photic.serving.answer import Answer
from photic.serving.completion import Completion
from photic.serving.request import InferenceRequest
from photic.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from photic.cpu_budget import CpuPlan
    from photic.serving.engine import Engine

__all__ = ["InferenceService"]


class InferenceService:
    """Runs requests on the engines' shared worker threads.

    Args:
        engines: The loaded models; their names and versions differ.
        default: Name of the model that ``engine()`` means.
        settings: Its admission section, and how long ``close`` may take.
        plan: How many workers.
        clock: The time; all deadlines and timelines are on it.

    Attributes:
        admission: For the event loop; begins closed.
        clock: As given.
        default: As given.
    """

    def __init__(
        self,
        engines: "Sequence[Engine]",
        *,
        default: str,
        settings: Settings,
        plan: "CpuPlan",
        clock: Clock = MONOTONIC,
    ) -> None:
        self.clock = clock
        self.default = default
        self.admission = Admission(settings.admission, workers=plan.workers)
        self._engines = tuple(engines)
        self._versions: dict[str, dict[int, Engine]] = {}
        for engine in self._engines:
            self._versions.setdefault(engine.bundle.name, {})[engine.bundle.version] = engine
        self._close_timeout_s = settings.server.drain_timeout_ms / 1e3
        self._completion = Completion()
        self._batcher: Batcher[InferenceRequest, Answer] = Batcher(
            self._engines, workers=plan.workers, clock=clock, deliver=self._completion.deliver
        )

    def start(self) -> None:
        """Start the worker threads; whoever serves requests opens the admission then."""
        self._batcher.start()

    def close(self, reason: str = "the server is shutting down") -> bool:
        """Fail what is queued with Unavailable, finish what runs, and join the threads.

        Blocks; an event loop calls it in another thread. A second call does nothing.

        Args:
            reason: What is said to those that fail.

        Returns:
            Whether all threads ended within ``server.drain_timeout_ms``.
        """
        return self._batcher.close(self._close_timeout_s, reason)

    def engine(self, name: str | None = None, version: int | None = None) -> "Engine":
        """The engine of a model, by default the highest version of the default one.

        Raises:
            ModelNotFound: There is none; the detail lists what there is.
        """
        wanted = self.default if name is None else name
        versions = self._versions.get(wanted)
        if versions is None:
            names = ", ".join(sorted(self._versions))
            raise ModelNotFound(f"there is no model {wanted!r}; there is: {names}")
        found = versions.get(max(versions) if version is None else version)
        if found is None:
            listed = ", ".join(str(number) for number in sorted(versions))
            raise ModelNotFound(f"model {wanted!r} has no version {version}; it has: {listed}")
        return found

    def engines(self) -> "tuple[Engine, ...]":
        """All engines."""
        return self._engines

    async def predict(self, engine: "Engine", request: InferenceRequest) -> Answer:
        """Run one request; the answer, or the error, comes at its deadline at the latest.

        That holds while a long inference runs, too: the answer that comes then is discarded.
        When the awaiting task is cancelled, the request is dropped wherever it stands.

        Raises:
            RequestError: ImageError, DeadlineExceeded, Unavailable, InferenceFailed.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        request.future = future
        left_s = (request.deadline_ns - self.clock.now_ns()) / 1e9
        alarm = loop.call_later(max(0.0, left_s), _expire, request, future)
        try:
            self._batcher.submit(engine, request)
            return await future
        finally:
            alarm.cancel()
            request.abandon()

    def submit(
        self, engine: "Engine", request: InferenceRequest
    ) -> concurrent.futures.Future[Answer]:
        """Run one request for a caller without an event loop.

        Only ``request.abandon()`` cancels it; its future then stays pending. Its deadline is
        looked at when a worker turns to it, not by a timer.

        Raises:
            Unavailable: The service is not running.
        """
        future: concurrent.futures.Future[Answer] = concurrent.futures.Future()
        future.set_running_or_notify_cancel()  # so that nobody but a worker settles it
        request.future = future
        self._batcher.submit(engine, request)
        return future

    def health(self) -> WorkerHealth:
        """How the worker threads are."""
        return self._batcher.health()

    def counts(self, engine: "Engine") -> LaneCounts:
        """Batch sizes and dropped requests of one engine since the start."""
        return self._batcher.counts(engine)

    @property
    def wasted(self) -> int:
        """Answers that were computed and came too late for anybody."""
        return self._completion.wasted


def _expire(request: InferenceRequest, future: asyncio.Future[Answer]) -> None:
    if not future.done():
        future.set_exception(deadline_exceeded(request))
