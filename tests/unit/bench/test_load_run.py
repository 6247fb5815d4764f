"""What a run measures, and in which order, with trials that are made up."""

from types import SimpleNamespace
from typing import Self

import psutil
import pytest

pytest.importorskip("mlperf_loadgen", reason="pip install -e '.[bench]'")

from bench.harness.fingerprint import fingerprint
from bench.harness.mixes import Mix
from bench.harness.results import Latency, OpenLoopRun, Results, RunSettings
from bench.harness.server import PeerFailed, Server
from bench.load import ledger, run
from bench.load.open_loop import Offer
from bench.peers.registry import SERVERS

LIMITS = {"photic": 90.0, "naive": 50.0, "tuned-pillow": 70.0}
MIX = Mix("labelled", (b"photo",))
NONE = Latency(0, 0, 0)


class FakePeer:
    def __init__(self, server: Server, photo: bytes) -> None:
        assert photo == b"photo"
        if server.name == "mosec":
            raise PeerFailed("mosec ended: no luck")
        self.server = server

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


def fake_open_loop(peer: FakePeer, mix: Mix, offer: Offer) -> OpenLoopRun:
    carried = offer.rate <= LIMITS.get(peer.server.name, 90.0)
    return OpenLoopRun(
        server=peer.server.name,
        mix=mix.name,
        rate=offer.rate,
        fraction_of_r=offer.fraction_of_r,
        seconds=offer.seconds,
        issued=100,
        good_in_deadline=100 if carried else 50,
        late=0 if carried else 50,
        errors={},
        latency_ns=NONE,
        goodput=0,
        late_issue_ns=NONE,
        valid=peer.server.name != "naive" or offer.round != 2,
        batch_sizes={},
        generator_cpu_ns=0,
        cpu_ns_per_good=0,
        round=offer.round,
        reference=offer.reference,
    )


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> Results:
    monkeypatch.setattr(run, "RunningPeer", FakePeer)
    monkeypatch.setattr(run, "missing", lambda _: None)
    monkeypatch.setattr(ledger, "open_loop", fake_open_loop)
    guess = SimpleNamespace(requests_per_s=80.0)
    monkeypatch.setattr(ledger, "closed_loop", lambda *_, **__: guess)
    return Results(fingerprint(), "commit", "now", RunSettings())


def measure(results: Results, *names: str, quick: bool = False) -> list[int]:
    """Run, and return how many trials each save saw."""
    saved: list[int] = []
    servers = [SERVERS[name] for name in names]

    def save() -> None:
        saved.append(len(results.open))

    run.run(results, MIX, servers, quick=quick, save=save, say=lambda _: None)
    return saved


def fractions(results: Results, server: str, reference: str) -> list[float]:
    return [
        trial.fraction_of_r
        for trial in results.open
        if (trial.server, trial.reference) == (server, reference)
    ]


def test_all_main_servers_meet_the_naive_servers_rate_and_fractions_of_their_own(
    results: Results,
) -> None:
    measure(results, *LIMITS)
    assert [capacity.server for capacity in results.capacity] == list(LIMITS)
    for capacity in results.capacity:
        assert LIMITS[capacity.server] / 1.04 <= capacity.r <= LIMITS[capacity.server]
        assert fractions(results, capacity.server, "own R") == [0.5, 0.7, 0.9, 1.2, 2.0]
    naive_r = results.capacity[1].r
    beside = [trial for trial in results.open if trial.reference == "naive R"]
    assert {trial.rate for trial in beside} == {0.7 * naive_r}
    assert [(t.server, t.round) for t in beside if t.valid] == [
        (name, number)
        for number in (1, 2, 3, 4, 5)
        for name in LIMITS
        if (name, number) != ("naive", 2)
    ]


def test_an_invalid_trial_is_kept_and_repeated_once(results: Results) -> None:
    measure(results, "photic", "naive")
    assert [(t.server, t.round) for t in results.open if not t.valid] == [("naive", 2)] * 2


def test_batch_sizes_are_measured_in_turns(results: Results) -> None:
    measure(results, "photic")
    trials = [t for t in results.open if t.reference == "Photic's R"]
    assert [t.server for t in trials] == ["photic-preferred-1", "photic-preferred-4"] * 6
    assert [t.fraction_of_r for t in trials[::2]] == [0.5, 0.9, 1.3] * 2


def test_every_trial_is_saved_at_once(results: Results) -> None:
    saved = measure(results, "photic", "naive")
    assert set(saved) >= set(range(1, len(results.open) + 1))


def test_quick_leaves_the_rest_out(results: Results) -> None:
    measure(results, *LIMITS, "litserve", quick=True)
    assert {trial.server for trial in results.open} == {"photic", "naive"}


def test_a_server_that_does_not_start_is_named(results: Results) -> None:
    measure(results, "photic", "mosec")
    assert results.not_run["open loop: mosec"] == "mosec ended: no luck"


def test_without_a_naive_server_there_is_nothing_to_meet(results: Results) -> None:
    measure(results, "photic")
    assert "open loop: 70% of the naive server's R" in results.not_run


def test_a_server_that_dies_ends_only_its_own_trials(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(peer: FakePeer, mix: Mix, offer: Offer) -> OpenLoopRun:
        if peer.server.name == "naive":
            raise psutil.NoSuchProcess(1)
        return fake_open_loop(peer, mix, offer)

    monkeypatch.setattr(ledger, "open_loop", dying)
    measure(results, "photic", "naive")
    assert results.not_run["open loop: naive, labelled"] == "the server ended under load"
    assert fractions(results, "photic", "own R") == [0.5, 0.7, 0.9, 1.2, 2.0]


def test_large_photos_have_a_longer_deadline() -> None:
    assert ledger.deadline_ms(MIX) == 250
    assert ledger.deadline_ms(Mix("camera", (bytes(3_000_000), bytes(2_000_000)))) == 2_000
