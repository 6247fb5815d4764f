"""How long to measure."""

from msgspec import Struct

__all__ = ["FULL", "QUICK", "Plan"]


class Plan(Struct, frozen=True):
    """Twelve minutes, or one.

    Attributes:
        rounds: Turns of each server with each mix.
        seconds: Of a turn with eight clients.
        alone_seconds: Of a turn with one client.
        preprocess_rounds: Passes over each mix without a server.
        starts: Cold starts of Photic.
        memory_requests: Answers of Photic before its memory is read.
        stage_requests: Answers whose stages are averaged.
    """

    rounds: int
    seconds: float
    alone_seconds: float
    preprocess_rounds: int
    starts: int
    memory_requests: int
    stage_requests: int


FULL = Plan(
    rounds=5,
    seconds=2.4,
    alone_seconds=1.5,
    preprocess_rounds=5,
    starts=5,
    memory_requests=10_000,
    stage_requests=200,
)
QUICK = Plan(
    rounds=1,
    seconds=0.5,
    alone_seconds=0.4,
    preprocess_rounds=1,
    starts=1,
    memory_requests=200,
    stage_requests=30,
)
