"""Servers against mixes: the closed loop, and what each server costs besides."""

from bench.harness.results import Results
from bench.report.labels import label
from bench.report.markdown import ABSENT, number, section, spread, table
from bench.report.measured import Measured, measured, ratio
from bench.report.selection import (
    BUSY,
    PHOTIC,
    closed,
    closed_by_round,
    mixes,
    servers,
)

__all__ = ["costs_section", "mixes_section", "summary_table"]


def summary_table(results: Results) -> str:
    """The README's: CPU time an answer and requests per second, by server and mix."""
    names = mixes(results)
    header = ["server"]
    header += [f"{mix}: {unit}" for unit in ("CPU-ms an answer", "req/s") for mix in names]
    rows = []
    for server in _servers_in(results, BUSY):
        name = f"**{label(server)}**" if server == PHOTIC else label(server)
        figures = [
            _figure(results, server, mix, figure) for figure in ("cpu_ms", "per_s") for mix in names
        ]
        rows.append([name, *(number(f.median) if f else ABSENT for f in figures)])
    return table(header, rows) if rows else ""


def mixes_section(results: Results) -> str:
    """One table a mix."""
    note = (
        f"{BUSY} clients (1 where it says so), each with one request under way: medians of "
        "the rounds, quartiles in brackets. CPU-ms is the CPU time of the server's whole process "
        "tree for each good answer; `/ Photic's` is the ratio within each round. Top-1 as: how "
        "often the most probable class is the reference server's. The generator's own CPU time is "
        "in no other column, but it ran on the same cores."
    )
    tables = [_mix_table(results, mix) for mix in mixes(results)]
    return section("Servers, closed loop", note, *tables) if any(tables) else ""


def _mix_table(results: Results, mix: str) -> str:
    header = (
        "server",
        "req/s",
        "CPU-ms an answer",
        "/ Photic's",
        "p50 ms, 1 client",
        "p50 ms",
        "p99 ms",
        f"top-1 as {_reference(results)}",
        "failed",
        "generator CPU-ms a request",
    )
    rows = [_mix_row(results, server, mix) for server in _servers_in(results, BUSY)]
    return f"### {mix}\n\n{table(header, rows)}" if rows else ""


def _mix_row(results: Results, server: str, mix: str) -> list[str]:
    runs = closed(results, server, mix, BUSY)
    cpu = closed_by_round(results, server, mix, BUSY, "cpu_ms")
    ours = closed_by_round(results, PHOTIC, mix, BUSY, "cpu_ms")
    relative = ratio(cpu, ours)
    return [
        label(server),
        spread(_figure(results, server, mix, "per_s")),
        spread(measured(list(cpu.values()))),
        number(relative.median) if relative else ABSENT,
        spread(_figure(results, server, mix, "p50_ms", clients=1)),
        spread(_figure(results, server, mix, "p50_ms")),
        spread(_figure(results, server, mix, "p99_ms")),
        _agreement(results, server, mix),
        str(sum(run.failed for run in runs)),
        spread(measured([run.generator_cpu_ns / 1e6 for run in runs])),
    ]


def costs_section(results: Results) -> str:
    """Memory and cold start."""
    names = dict.fromkeys(run.server for run in (*results.memory, *results.cold_start))
    header = ("server", "cold start, s", "PSS, MB", "RSS, MB", "after requests")
    rows = [_cost_row(results, server) for server in names]
    note = (
        "Cold start: from spawning the process to its first good answer. Memory of the process "
        "tree: PSS divides a page among the processes that map it, RSS counts it in each."
    )
    return section("Memory and cold start", note, table(header, rows)) if rows else ""


def _cost_row(results: Results, server: str) -> list[str]:
    starts = [run.ns / 1e9 for run in results.cold_start if run.server == server]
    runs = [run for run in results.memory if run.server == server]
    requests = max((run.requests for run in runs), default=0)
    longest = [run for run in runs if run.requests == requests]
    pss = measured([run.pss_bytes / 1e6 for run in longest])
    rss = measured([run.rss_bytes / 1e6 for run in longest if run.rss_bytes])
    after = f"{requests:,}" if runs else ABSENT
    return [label(server), *(spread(found) for found in (measured(starts), pss, rss)), after]


def _servers_in(results: Results, clients: int) -> list[str]:
    measured_there = {run.server for run in results.closed if run.clients == clients}
    return [server for server in servers(results) if server in measured_there]


def _figure(
    results: Results, server: str, mix: str, figure: str, clients: int = BUSY
) -> Measured | None:
    return measured(list(closed_by_round(results, server, mix, clients, figure).values()))


def _reference(results: Results) -> str:
    compared = [a.reference for a in results.agreement if a.server in servers(results)]
    return " or ".join(dict.fromkeys(map(label, compared))) or "the reference"


def _agreement(results: Results, server: str, mix: str) -> str:
    found = [a for a in results.agreement if (a.server, a.mix) == (server, mix)]
    return ", ".join(f"{a.same} of {a.photos}" for a in found) or ABSENT
