"""What somebody who knows how makes of the same parts.

A raw body; uvloop and httptools; no pydantic; a pool of as many threads as cores, so that nothing
oversubscribes. Under load each thread infers on one core; a lone request gets them all, with
threads that spin during the run. Usage: tuned.py ROW PORT, ROW being a function of peers/rows.py.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.peers.rows import Row, all_rows
from bench.peers.servers.lite0 import labels, session, top_5

CORES = len(os.sched_getaffinity(0))


class Classifier:
    def __init__(self, row: Callable[[bytes], Row]) -> None:
        self._row = row
        self._names = labels()
        self._throughput = session(1)
        self._latency = session(CORES, spinning=True)
        self._pool = ThreadPoolExecutor(CORES)
        self._encoder = msgspec.json.Encoder()
        self._in_flight = 0

    async def predict(self, request: Request) -> Response:
        body = await request.body()
        self._in_flight += 1
        try:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._pool, self._classify, body)
        finally:
            self._in_flight -= 1
        return Response(answer, media_type="application/json")

    def _classify(self, data: bytes) -> bytes:
        row = self._row(data)[None]
        chosen = self._latency if self._in_flight == 1 else self._throughput
        (logits,) = chosen.run(None, {"input": row})
        return self._encoder.encode({"predictions": top_5(logits[0], self._names)})


def main() -> None:
    classifier = Classifier(all_rows()[sys.argv[1]])
    app = Starlette(routes=[Route("/predict", classifier.predict, methods=["POST"])])
    port = int(sys.argv[2])
    uvicorn.run(app, port=port, loop="uvloop", http="httptools", access_log=False, lifespan="off")


if __name__ == "__main__":
    main()
