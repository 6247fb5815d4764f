"""What was measured, as one JSON document. All times are nanoseconds unless a name says more."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.harness.fingerprint import Fingerprint

__all__ = [
    "Agreement",
    "CapacityRun",
    "ClosedLoopRun",
    "ColdStart",
    "Latency",
    "MemoryRun",
    "OpenLoopRun",
    "OrtFloorRun",
    "PreprocessRun",
    "Results",
    "RunSettings",
    "StageTime",
    "percentiles",
    "read_results",
    "write_results",
]


class Latency(Struct, frozen=True):
    """Percentiles."""

    p50: int
    p90: int
    p99: int


def percentiles(values: Sequence[int]) -> Latency:
    """By nearest rank; zeros when there are no values."""
    ordered = sorted(values) or [0]

    def at(percent: int) -> int:
        return ordered[min(len(ordered) - 1, -(-percent * len(ordered) // 100) - 1)]

    return Latency(at(50), at(90), at(99))


class ClosedLoopRun(Struct, frozen=True):
    """One turn of one server. Failed: anything but a prediction with status 200."""

    server: str
    mix: str
    clients: int
    round: int
    good: int
    failed: int
    seconds: float
    latency_ns: Latency
    cpu_ns_per_good: int
    requests_per_s: float
    generator_cpu_ns: int
    """CPU of the load generator for each request."""


class OpenLoopRun(Struct, frozen=True):
    """One server under Poisson arrivals."""

    server: str
    mix: str
    rate: float
    """Offered requests per second."""
    fraction_of_r: float
    reference: str
    """Whose R: "own R" or "naive R"."""
    seconds: float
    issued: int
    good_in_deadline: int
    late: int
    """Good answers past the deadline, and requests that the client gave up at the deadline."""
    errors: dict[str, int]
    """All other failures by status; "connection" where there was none."""
    latency_ns: Latency
    goodput: float
    """Good answers within the deadline per second."""
    late_issue_ns: Latency
    """How much later than planned the generator sent: its own validity check."""
    valid: bool
    batch_sizes: dict[str, int]
    generator_cpu_ns: int
    """CPU of the load generator for each request."""
    cpu_ns_per_good: int
    deadline_ms: float = 0.0
    round: int = 0
    why_invalid: str = ""
    alone: int = 0
    """Runs of Photic's latency session."""
    connections: int = 0
    """The most that were open at once."""
    generator_share: float = 0.0
    """Of one core."""
    others_share: float = 0.0
    """Of all cores: what neither the server nor the generator took."""
    generator_priority: str = ""
    """How the generator was scheduled: "rr", "nice -10" or "normal"."""


class CapacityTrial(Struct, frozen=True):
    """One rate that was tried."""

    rate: float
    issued: int
    good_in_deadline: int


class CapacityRun(Struct, frozen=True):
    """R: the highest rate with at least 99 % good answers within the deadline."""

    server: str
    mix: str
    deadline_ms: float
    r: float
    trials: list[CapacityTrial]


class PreprocessRun(Struct, frozen=True):
    """A photo's bytes to the model's row on one thread: CPU time of one photo."""

    name: str
    mix: str
    round: int
    cpu_ns_per_photo: int


class OrtFloorRun(Struct, frozen=True):
    """ONNX Runtime alone: one thread a run, so many runs at once; CPU time of one inference."""

    concurrent: int
    round: int
    cpu_ns_per_inference: int


class StageTime(Struct, frozen=True):
    """Where Photic's time goes: mean of its ``Server-Timing``."""

    mix: str
    clients: int
    stage: str
    mean_ns: int


class ColdStart(Struct, frozen=True):
    """From spawning the process to its first good answer."""

    server: str
    ns: int


class MemoryRun(Struct, frozen=True):
    """Memory of the process tree after so many good answers."""

    server: str
    requests: int
    pss_bytes: int
    """Pages shared with a process count in part, those outside the tree included."""
    rss_bytes: int = 0
    """Pages shared within the tree count several times: of a single process, the upper bound."""


class Agreement(Struct, frozen=True):
    """How often a server's top-1 is the reference's."""

    server: str
    mix: str
    reference: str
    same: int
    photos: int


class RunSettings(Struct, frozen=True):
    """How it was measured."""

    quick: bool = False
    rounds: int = 0
    seconds: float = 0.0
    mixes: dict[str, int] = {}
    """Number of photos by mix."""
    digests: dict[str, str] = {}
    """Of the photos by mix: two runs with different ones measured different things."""


class Results(Struct):
    """Everything of one run."""

    fingerprint: Fingerprint
    commit: str
    started: str
    """UTC, ISO 8601."""
    settings: RunSettings
    closed: list[ClosedLoopRun] = []
    open: list[OpenLoopRun] = []
    capacity: list[CapacityRun] = []
    torch: list[ClosedLoopRun] = []
    """Servers are named "photic-<model>" and "eager-<model>"."""
    preprocess: list[PreprocessRun] = []
    ort_floor: list[OrtFloorRun] = []
    stages: list[StageTime] = []
    cold_start: list[ColdStart] = []
    memory: list[MemoryRun] = []
    agreement: list[Agreement] = []
    versions: dict[str, dict[str, str]] = {}
    """By server: distribution to version."""
    not_run: dict[str, str] = {}
    """By server or part: why."""


def write_results(results: Results, folder: Path) -> Path:
    """Write ``results.json`` in the folder, which is made if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1))
    return path


def read_results(path: Path) -> Results:
    """Read such a file.

    Raises:
        msgspec.ValidationError: It is of another shape.
    """
    return msgspec.json.decode(path.read_bytes(), type=Results)
