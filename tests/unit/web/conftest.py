"""A service without threads or models, behind the real application."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from photic.batching.batcher import WorkerHealth
from photic.batching.lane_state import LaneCounts
from photic.errors import BadRequest, ModelNotFound
from photic.models.bundle import ModelBundle
from photic.models.recipe import InputRecipe, ModelRecipe
from photic.serving.admission import Admission
from photic.serving.answer import Answer, ClassScore
from photic.settings import Settings
from photic.stages import Stage
from photic.web.application import create_application
from photic.web.lifecycle import Lifecycle, Phase

CLASSES = 10
PREDICTIONS = tuple(ClassScore(i, f"class {i}", 0.5 / (i + 1)) for i in range(CLASSES))


class ManualClock:
    """Moves a microsecond with each look, and further when told."""

    def __init__(self) -> None:
        self.time_ns = 1_000_000_000

    def now_ns(self) -> int:
        self.time_ns += 1_000
        return self.time_ns


class FakeEngine:
    def __init__(self, name: str, version: int = 1) -> None:
        self.classes = CLASSES
        self.preferred_batch = 1
        self.bundle = ModelBundle(
            name=name,
            version=version,
            variant="fp32",
            path=Path("model.onnx"),
            recipe=ModelRecipe(input=InputRecipe(size=(8, 8), resize=8)),
            labels=tuple(score.label for score in PREDICTIONS),
        )

    def check_top_k(self, top_k: int) -> int:
        if not 1 <= top_k <= self.classes:
            raise BadRequest(f"top_k is {top_k}; it must be from 1 to {self.classes}")
        return top_k


class FakeService:
    """Answers what ``outcomes`` says for an image, else with predictions."""

    def __init__(self, settings: Settings) -> None:
        self.clock = ManualClock()
        self.default = "first"
        self.admission = Admission(settings.admission, workers=1)
        self.admission.open()
        self.workers = WorkerHealth(alive=1, expected=1, crashes=0)
        self.wasted = 4
        self.requests: list[Any] = []
        self.outcomes: dict[bytes, BaseException] = {}
        self.busy: asyncio.Event | None = None
        """When set, predictions wait for it."""
        self.cancelled = 0
        self._arrival = asyncio.Event()

    async def received(self, count: int) -> None:
        """Wait until that many requests came."""
        while len(self.requests) < count:
            self._arrival.clear()
            await self._arrival.wait()

    def engines(self) -> tuple[FakeEngine, ...]:
        return FakeEngine("first"), FakeEngine("first", 2), FakeEngine("second")

    def engine(self, name: str | None = None, version: int | None = None) -> FakeEngine:
        wanted = self.default if name is None else name
        found = [engine for engine in self.engines() if engine.bundle.name == wanted]
        if version is not None:
            found = [engine for engine in found if engine.bundle.version == version]
        if not found:
            raise ModelNotFound(f"no {wanted!r} {version}; there are: first, second")
        return found[-1]

    async def predict(self, engine: FakeEngine, request: Any) -> Answer:
        self.requests.append(request)
        self._arrival.set()
        try:
            if self.busy is not None:
                await self.busy.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        for stage in (Stage.QUEUE, Stage.DECODE, Stage.BATCH_WAIT, Stage.INFER, Stage.POSTPROCESS):
            request.timeline.end(stage, self.clock.now_ns())
        if outcome := self.outcomes.get(bytes(request.image)):
            raise outcome
        return Answer(
            model=engine.bundle.name,
            version=engine.bundle.version,
            variant=engine.bundle.variant,
            request_id=request.request_id,
            predictions=PREDICTIONS[: request.top_k],
        )

    def counts(self, engine: FakeEngine) -> LaneCounts:
        return LaneCounts(batch_sizes=(0, engine.bundle.version), alone=1, expired=2, abandoned=3)

    def health(self) -> WorkerHealth:
        return self.workers


@pytest.fixture
def serving():
    """Builds (application, service, lifecycle) with some settings."""

    def build(**sections: Any) -> SimpleNamespace:
        settings = Settings(**sections)
        service: Any = FakeService(settings)
        lifecycle = Lifecycle()
        lifecycle.phase = Phase.SERVING
        app = create_application(service, settings, lifecycle)
        return SimpleNamespace(app=app, service=service, lifecycle=lifecycle)

    return build
