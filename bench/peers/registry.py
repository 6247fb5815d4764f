"""All servers of the comparison: how to start each, and how to read its answers."""

import sys
from typing import Any

import msgspec

from bench.harness.client import Endpoint
from bench.harness.server import Launch, Server

__all__ = ["SERVERS"]


def _photic_launch(port: int) -> Launch:
    return Launch((sys.executable, "-m", "photic", "serve", "--port", str(port)))


def _predictions_top_1(body: bytes) -> int:
    answer: Any = msgspec.json.decode(body)
    return int(answer["predictions"][0]["index"])


def _photic_endpoint(host: str, port: int) -> Endpoint:
    return Endpoint(host, port, "/v1/predict", _predictions_top_1)


PHOTIC = Server("photic", "Photic", _photic_launch, _photic_endpoint, ("photic",))

SERVERS: dict[str, Server] = {PHOTIC.name: PHOTIC}
