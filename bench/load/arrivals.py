"""Poisson arrivals: the Server scenario of MLPerf's LoadGen, and its record of the schedule."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mlperf_loadgen as loadgen
import msgspec

_LOG_POLL_MS = 200
"""LoadGen's logging thread wakes as often; its default of 10 ms costs CPU."""

Issue = Callable[[int], None]
"""What an arrival does: called with the index of the photo; must not block."""


class Arrivals(msgspec.Struct, frozen=True):
    """A Poisson process: the same seed and rate give the same instants and the same photos."""

    rate: float
    """Mean arrivals per second."""
    seconds: float
    seed: int
    photos: int
    """Photos to draw from, uniformly, with replacement."""


class _Args(msgspec.Struct, frozen=True):
    query_seq: int
    issue_start_ns: int


class _Sample(msgspec.Struct, frozen=True):
    """One line of LoadGen's trace: a query, at the instant it was scheduled for."""

    ts: float
    """Microseconds since LoadGen started."""
    args: _Args


def run(arrivals: Arrivals, issue: Issue, finish: Callable[[], None]) -> list[int]:
    """Call ``issue`` at each arrival, and ``finish`` after the last.

    LoadGen is told of all answers at once, when ``finish`` returns: telling it one by one costs
    30 µs each. So its own latencies mean nothing here; the caller has better ones.

    Args:
        arrivals: what is to come.
        issue: called at each arrival.
        finish: called after the last one; returns when nothing is under way.

    Returns:
        When each query was scheduled, in arrival order, in nanoseconds of ``time.monotonic_ns``.
    """
    entered_ns: list[int] = []
    under_way: list[int] = []

    def on_query(queries: list[loadgen.QuerySample]) -> None:
        entered_ns.append(time.monotonic_ns())
        for query in queries:
            issue(query.index)
            under_way.append(query.id)

    def on_last() -> None:
        finish()
        loadgen.QuerySamplesComplete(
            [loadgen.QuerySampleResponse(query, 0, 0) for query in under_way]
        )

    with tempfile.TemporaryDirectory(prefix="loadgen-") as folder:
        _start(arrivals, on_query, on_last, Path(folder))
        trace = (Path(folder) / "mlperf_log_trace.json").read_text()
    return schedule_ns(trace, entered_ns)


def schedule_ns(trace: str, entered_ns: list[int]) -> list[int]:
    """The scheduled instants in LoadGen's ``trace``, moved to the clock of ``entered_ns``.

    LoadGen has a clock of its own. A query enters Python some microseconds after LoadGen issued
    it; the smallest difference seen is taken for the clocks' offset, so latencies come out short
    by the fastest such entry.

    Args:
        trace: LoadGen's trace, not always well-formed JSON as a whole, but so in each line.
        entered_ns: when each query entered Python, in arrival order.
    """
    samples = sorted(
        (
            msgspec.json.decode(line.rstrip(",\n"), type=_Sample)
            for line in trace.splitlines()
            if line.startswith('{"name":"Sample"') and '"ph":"b"' in line
        ),
        key=lambda sample: sample.args.query_seq,
    )
    scheduled = [round(sample.ts * 1e3) for sample in samples]
    issued = [
        at + sample.args.issue_start_ns for at, sample in zip(scheduled, samples, strict=True)
    ]
    offset = min(entered - at for entered, at in zip(entered_ns, issued, strict=True))
    return [at + offset for at in scheduled]


def _start(
    arrivals: Arrivals,
    on_query: Callable[[list[loadgen.QuerySample]], None],
    on_last: Callable[[], None],
    logs: Path,
) -> None:
    system = loadgen.ConstructSUT(on_query, on_last)
    library = loadgen.ConstructQSL(arrivals.photos, arrivals.photos, _nothing, _nothing)
    try:
        loadgen.StartTestWithLogSettings(
            system, library, _settings(arrivals), _log_settings(logs), ""
        )
    finally:
        loadgen.DestroyQSL(library)
        loadgen.DestroySUT(system)


def _nothing(*_: object) -> None: ...


def _settings(arrivals: Arrivals) -> loadgen.TestSettings:
    settings = loadgen.TestSettings()
    settings.scenario = loadgen.TestScenario.Server
    settings.mode = loadgen.TestMode.PerformanceOnly
    settings.server_target_qps = arrivals.rate
    settings.min_duration_ms = round(arrivals.seconds * 1e3)
    settings.min_query_count = 1
    settings.schedule_rng_seed = arrivals.seed
    settings.sample_index_rng_seed = arrivals.seed
    return settings


def _log_settings(folder: Path) -> loadgen.LogSettings:
    output = loadgen.LogOutputSettings()
    output.outdir = str(folder)
    logs = loadgen.LogSettings()
    logs.log_output = output
    logs.enable_trace = True
    logs.log_mode_async_poll_interval_ms = _LOG_POLL_MS
    return logs
