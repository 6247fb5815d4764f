"""Batch sizes under backlog, with the embedded model."""

import asyncio

import pytest

from oracle.photos import jpeg, photo
from photic.models.repository import embedded_repository
from photic.serving.engine import load_engine
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import BatchingSettings, Settings
from photic.stages import Stage, Timeline
from serving_fakes import plan


def backlog(preferred: int, images: list[bytes]):
    """Submit all images at once; their answers, their timelines and the batch sizes."""
    settings = Settings(batching=BatchingSettings(preferred_batch=preferred))
    engine = load_engine(embedded_repository().bundle("efficientnet-lite0"), settings, plan())
    service = InferenceService([engine], default=engine.name, settings=settings, plan=plan(2))
    service.start()
    now_ns = service.clock.now_ns()
    requests = [
        InferenceRequest(
            image=image,
            request_id="",
            top_k=1,
            deadline_ns=now_ns + 100 * 10**9,
            timeline=Timeline(now_ns),
        )
        for image in images
    ]

    async def predict_all():
        return await asyncio.gather(*(service.predict(engine, request) for request in requests))

    answers = asyncio.run(predict_all())
    assert service.close()
    assert service.wasted == 0
    return answers, [r.timeline for r in requests], service.counts(engine).batch_sizes


@pytest.mark.parametrize("preferred", [1, 4])
def test_the_batch_sizes_have_their_mode_at_preferred_batch(preferred, measured):
    images = {282: jpeg(photo("chelsea")), 967: jpeg(photo("coffee")), 985: jpeg(photo("flower"))}
    answers, timelines, sizes = backlog(preferred, [*images.values()] * 12)
    assert [answer.predictions[0].index for answer in answers] == [*images] * 12
    measured(f"preferred_batch = {preferred}: batches of 1, 2, … rows: {list(sizes[1:])}")
    assert sum(size * count for size, count in enumerate(sizes)) == 36
    assert sizes.index(max(sizes)) == preferred
    stages = [Stage.QUEUE, Stage.DECODE, Stage.BATCH_WAIT, Stage.INFER, Stage.POSTPROCESS]
    for timeline in timelines:
        durations = timeline.durations_ns()
        assert [stage for stage, _ in durations] == stages
        assert all(duration >= 0 for _, duration in durations)
