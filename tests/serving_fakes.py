"""An engine without a model: its image is a number, its answer's first score the same number."""

import asyncio
from types import SimpleNamespace

import numpy as np

from batching_fakes import FakeLane
from photic.cpu_budget import CpuPlan
from photic.serving.answer import Answer, ClassScore
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import Settings
from photic.stages import Timeline

MS = 1_000_000


def plan(workers: int = 1) -> CpuPlan:
    return CpuPlan(
        cpus=float(workers),
        workers=workers,
        intra_op_threads=1,
        latency_threads=1,
    )


class FakeEngine(FakeLane):
    """A lane whose jobs are requests."""

    def __init__(self, name: str = "fake", version: int = 1, **options) -> None:
        super().__init__(**options)
        self.classes = 1
        self.bundle = SimpleNamespace(name=name, version=version, variant="fp32")

    def decode(self, request: InferenceRequest, row: np.ndarray) -> None:
        self.on_decode(request)
        row[...] = request.image[0]

    def run(
        self, requests: list[InferenceRequest], rows: np.ndarray, *, alone: bool
    ) -> list[Answer]:
        self.batches.append([request.request_id for request in requests])
        if alone:
            self.alone += self.batches[-1]
        self.on_run(requests)
        return [
            Answer(
                model=self.bundle.name,
                version=self.bundle.version,
                variant=self.bundle.variant,
                request_id=request.request_id,
                predictions=(ClassScore(0, "zero", float(row[0, 0])),),
            )
            for request, row in zip(requests, rows, strict=True)
        ]


def service_of(*engines: FakeEngine, workers: int = 1) -> InferenceService:
    return InferenceService(
        engines, default=engines[0].bundle.name, settings=Settings(), plan=plan(workers)
    )


def request_for(
    service: InferenceService, number: int, *, deadline_ms: int = 60_000
) -> InferenceRequest:
    now_ns = service.clock.now_ns()
    return InferenceRequest(
        image=bytes([number]),
        request_id=str(number),
        top_k=1,
        deadline_ns=now_ns + deadline_ms * MS,
        timeline=Timeline(now_ns),
    )


async def closed(service: InferenceService) -> None:
    """Close the service; afterwards all that its workers sent to the loop has been run."""
    assert await asyncio.to_thread(service.close)
    await asyncio.sleep(0)
