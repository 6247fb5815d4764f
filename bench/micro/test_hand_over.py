"""What the way from the event loop to a worker and back costs, with stages that do nothing."""

import asyncio

import pytest

from serving_fakes import FakeEngine, request_for, service_of

REQUESTS = 1_000


@pytest.mark.benchmark(group="hand-over of 1,000 requests")
@pytest.mark.parametrize(("preferred", "clients"), [(1, 1), (1, 64), (4, 64)])
def test_hand_over(benchmark, preferred, clients):
    async def client(service, engine):
        for number in range(REQUESTS // clients):
            await service.predict(engine, request_for(service, number % 256))

    async def scenario(service, engine):
        await asyncio.gather(*(client(service, engine) for _ in range(clients)))

    engine = FakeEngine(preferred_batch=preferred)
    service = service_of(engine, workers=2)
    service.start()
    with asyncio.Runner() as runner:
        benchmark.pedantic(
            lambda: runner.run(scenario(service, engine)), rounds=10, warmup_rounds=1
        )
    service.close()
