"""A small results.json made by hand, with figures that are easy to check in the head."""

from bench.harness.fingerprint import Fingerprint
from bench.harness.results import (
    Agreement,
    CapacityRun,
    CapacityTrial,
    ClosedLoopRun,
    ColdStart,
    Latency,
    MemoryRun,
    OpenLoopRun,
    OrtFloorRun,
    PreprocessRun,
    Results,
    RunSettings,
    StageTime,
)

ROUNDS = range(5)
SERVERS = {"photic": 1.0, "naive": 2.0, "tuned-pillow": 1.25, "tuned-simplejpeg": 1.25}
"""How many times Photic's cost each takes."""
MIXES = {"labelled": 10, "cc0": 16, "camera": 80}
"""Photic's CPU milliseconds an answer."""
NOISE = (1.0, 1.1, 0.9, 1.02, 0.98)
"""By round; it disturbs all servers of a round alike."""


def hand_made() -> Results:
    """Rounds whose ratios are exact, since a round's noise is common to all of its servers."""
    return Results(
        fingerprint=FINGERPRINT,
        commit="abc1234",
        started="2026-11-30T10:00:00Z",
        settings=RunSettings(rounds=len(ROUNDS), seconds=3.0, mixes=dict.fromkeys(MIXES, 40)),
        closed=[
            closed(server, mix, clients, round_number)
            for round_number in ROUNDS
            for mix in MIXES
            for clients in (1, 8)
            for server in SERVERS
        ],
        open=[
            opened(server, fraction)
            for server in ("photic", "naive")
            for fraction in (0.5, 0.7, 0.9, 1.2, 2.0)
        ],
        capacity=[CapacityRun("naive", "labelled", 1000.0, 60.0, [CapacityTrial(60.0, 100, 99)])],
        preprocess=[
            PreprocessRun(name, "labelled", number, int(cost * NOISE[number] * 1e6))
            for number in ROUNDS
            for name, cost in (("photic", 2.0), ("pillow", 7.0), ("decode_alone", 1.6))
        ],
        ort_floor=[OrtFloorRun(2, number, int(8e6 * NOISE[number])) for number in ROUNDS],
        stages=[
            StageTime(mix, 1, stage, int(share * cost * 1e6))
            for mix, cost in MIXES.items()
            for stage, share in (
                ("receive", 0.02),
                ("queue", 0.01),
                ("decode", 0.2),
                ("infer", 0.7),
            )
        ],
        cold_start=[ColdStart("photic", 900_000_000)],
        memory=[
            MemoryRun("photic", 100, 150_000_000, 160_000_000),
            MemoryRun("photic", 10_000, 270_000_000, 290_000_000),
        ],
        agreement=[Agreement("photic", "labelled", "tuned-pillow", 39, 40)],
        not_run={"triton": "needs Python 3.13"},
    )


FINGERPRINT = Fingerprint(
    host="box",
    machine="x86_64",
    cpu="Some CPU",
    cpus=2,
    flags=["avx2"],
    memory_bytes=24 << 30,
    kernel="6.1",
    system="Debian",
    huge_pages="madvise",
    python="3.11.2",
    packages={"photic": "0.1.0"},
    load_1min=0.1,
)


def closed(server: str, mix: str, clients: int, round_number: int) -> ClosedLoopRun:
    """Two CPUs, so one request's time is half the clients' times the cost."""
    cost_ms = MIXES[mix] * SERVERS[server] * NOISE[round_number]
    wait_ms = cost_ms * max(1, clients / 2)
    return ClosedLoopRun(
        server=server,
        mix=mix,
        clients=clients,
        round=round_number,
        good=100,
        failed=0,
        seconds=3.0,
        latency_ns=Latency(*(int(wait_ms * factor * 1e6) for factor in (1.0, 1.1, 1.3))),
        cpu_ns_per_good=int(cost_ms * 1e6),
        requests_per_s=1e3 / cost_ms * min(2, clients),
        generator_cpu_ns=100_000,
    )


def opened(server: str, fraction: float) -> OpenLoopRun:
    """Latency that grows as a queue's does, up to the deadline."""
    rate, capacity = 60 * fraction, 120 / SERVERS[server]
    p50_ms = min(1000.0, 12 * SERVERS[server] / max(0.01, 1 - rate / capacity))
    goodput = min(rate, capacity)
    return OpenLoopRun(
        server=server,
        mix="labelled",
        rate=rate,
        fraction_of_r=fraction,
        reference="naive R",
        seconds=10.0,
        issued=int(10 * rate),
        good_in_deadline=int(10 * goodput),
        late=0,
        errors={},
        latency_ns=Latency(*(int(min(1000.0, p50_ms * f) * 1e6) for f in (1, 2, 4))),
        goodput=goodput,
        late_issue_ns=Latency(50_000, 80_000, 200_000),
        valid=True,
        batch_sizes={"1": 90, "2": 10} if server == "photic" else {},
        generator_cpu_ns=200_000,
        cpu_ns_per_good=int(10e6 * SERVERS[server]),
        deadline_ms=1000.0,
    )
