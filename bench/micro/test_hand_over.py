"""What a request costs beside its stages: the way to a worker and back, and HTTP's share of it."""

import asyncio
import time

import pytest

from asgi_call import Body, Reply, scope
from photic.settings import Settings
from photic.web.application import create_application
from photic.web.lifecycle import Lifecycle, Phase
from serving_fakes import FakeEngine, request_for, service_of

REQUESTS = 1_000
BODY = bytes(100_000)

in_cpu_time = pytest.mark.benchmark(
    group="CPU of 1,000 requests whose stages do nothing", timer=time.process_time
)


def measure(benchmark, preferred, clients, request):
    """Time ``request(service, engine, number)``, ``clients`` of them at once."""

    async def client(service, engine):
        for number in range(REQUESTS // clients):
            await request(service, engine, number % 256)

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


@in_cpu_time
@pytest.mark.parametrize(("preferred", "clients"), [(1, 1), (1, 64), (4, 64)])
def test_hand_over(benchmark, preferred, clients):
    def request(service, engine, number):
        return service.predict(engine, request_for(service, number))

    measure(benchmark, preferred, clients, request)


@in_cpu_time
@pytest.mark.parametrize("clients", [1, 64])
def test_application(benchmark, clients):
    """The same behind the whole application, with a body of 100 kB, but no socket."""
    applications = {}
    call = scope("POST", "/v1/predict", {"content-length": str(len(BODY))})

    async def request(service, _engine, _number):
        if service not in applications:
            service.admission.open()
            lifecycle = Lifecycle()
            lifecycle.phase = Phase.SERVING
            applications[service] = create_application(service, Settings(), lifecycle)
        reply = Reply()
        await applications[service](dict(call), Body(BODY).receive, reply.send)
        assert reply.status == 200

    measure(benchmark, 1, clients, request)
