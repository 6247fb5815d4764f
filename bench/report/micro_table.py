"""The microbenchmarks, from pytest-benchmark's JSON."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.report.markdown import number, section, spread, table
from bench.report.measured import Measured

__all__ = [
    "Micro",
    "MicroStats",
    "compact",
    "micro_section",
    "milliseconds",
    "parse_micro",
    "read_micro",
]


class MicroStats(Struct, frozen=True):
    """Of one round, in seconds."""

    median: float
    q1: float
    q3: float
    rounds: int


class Micro(Struct, frozen=True):
    """One benchmark."""

    name: str
    group: str | None
    stats: MicroStats
    extra_info: dict[str, Any] = {}


class _Document(Struct, frozen=True):
    benchmarks: list[Micro]


def read_micro(path: Path) -> list[Micro]:
    """The benchmarks of a file; none when there is no file.

    Raises:
        msgspec.ValidationError: It is not pytest-benchmark's.
    """
    return parse_micro(path.read_bytes()) if path.exists() else []


def parse_micro(text: bytes) -> list[Micro]:
    """The benchmarks of pytest-benchmark's JSON.

    Raises:
        msgspec.ValidationError: It is something else.
    """
    return msgspec.json.decode(text, type=_Document).benchmarks


def compact(benchmarks: list[Micro]) -> bytes:
    """What this reads of pytest-benchmark's JSON, as JSON of the same shape."""
    return msgspec.json.encode(_Document(benchmarks)) + b"\n"


def milliseconds(stats: MicroStats) -> Measured:
    """Of one round."""
    return Measured(1e3 * stats.median, 1e3 * stats.q1, 1e3 * stats.q3, stats.rounds)


def micro_section(benchmarks: list[Micro]) -> str:
    """Milliseconds of a round, and of a photo where a round is many."""
    rows = [
        (
            f"`{micro.name}`",
            micro.group or "",
            spread(milliseconds(micro.stats)),
            number(micro.extra_info.get("ms_per_photo")),
            str(micro.stats.rounds),
        )
        for micro in sorted(benchmarks, key=lambda micro: (micro.group or "", micro.stats.median))
    ]
    header = ("benchmark", "group", "ms a round", "ms a photo", "rounds")
    return section("Single stages", table(header, rows)) if rows else ""
