"""Other models, beside eager torch behind FastAPI."""

from bench.harness.results import Results
from bench.report.markdown import ABSENT, section, spread, table
from bench.report.measured import by_round, measured
from bench.report.selection import CLOSED_FIGURES

__all__ = ["torch_section"]


def torch_section(results: Results) -> str:
    """One client, one request at a time."""
    rows = []
    for server in dict.fromkeys(run.server for run in results.torch):
        runs = [run for run in results.torch if run.server == server]
        figures = (by_round(runs, CLOSED_FIGURES[name]) for name in ("p50_ms", "p99_ms", "cpu_ms"))
        cells = [spread(measured(list(f.values()))) for f in figures]
        rows.append((server, *cells, _agreement(results, server)))
    header = ("server-model", "p50 ms", "p99 ms", "CPU-ms an answer", "same top-1")
    return section("Beside eager torch, 1 client", table(header, rows)) if rows else ""


def _agreement(results: Results, server: str) -> str:
    """With eager torch, which has the same weights."""
    found = [a for a in results.agreement if a.server == server]
    return ", ".join(f"{a.same} of {a.photos}" for a in found) or ABSENT
