"""The closed loop: who sends what, and a real one against a real server."""

import time

import pytest

from bench.harness.closed_loop import FEW_PHOTOS, Turns, closed_loop, send_all
from bench.harness.mixes import Mix
from bench.harness.process_tree import memory_bytes
from bench.harness.server import PeerFailed, RunningPeer, Server
from bench.peers.agreement import agreement
from bench.peers.registry import SERVERS, photic
from bench.peers.stages import stage_times

FEW = Mix("few", (b"a", b"b", b"c"))
MANY = Mix("many", tuple(bytes([i]) for i in range(FEW_PHOTOS + 1)))


def all_of(turns):
    return list(iter(turns.next, None))


def test_turns_hand_out_as_many_as_asked():
    assert all_of(Turns(FEW, most=7)) == [b"a", b"b", b"c", b"a", b"b", b"c", b"a"]


def test_no_turn_begins_when_the_time_is_over():
    assert all_of(Turns(FEW, end_ns=time.perf_counter_ns())) == []


def after_one(mix):
    """What is still handed out when the time ends right after the first photo."""
    turns = Turns(mix, end_ns=time.perf_counter_ns() + 10_000_000)
    turns.next()
    while time.perf_counter_ns() < turns.end_ns:
        pass
    return all_of(turns)


def test_few_photos_are_sent_in_whole_rounds():
    assert after_one(FEW) == [b"b", b"c"]


def test_many_photos_end_with_the_time():
    assert after_one(MANY) == []


@pytest.fixture(scope="module")
def running(chelsea_jpeg):
    with RunningPeer(SERVERS["photic"], chelsea_jpeg) as peer:
        yield peer


@pytest.fixture(scope="module")
def cats(chelsea_jpeg):
    return Mix("cats", (chelsea_jpeg, chelsea_jpeg))


def test_a_real_loop(running, cats):
    run = closed_loop(running, cats, clients=2, seconds=0.4, settle_s=0.1, round_number=3)
    assert (run.server, run.mix, run.clients, run.round) == ("photic", "cats", 2, 3)
    assert run.good > 5
    assert run.failed == 0
    assert run.good % len(cats.photos) == 0
    assert 0 < run.latency_ns.p50 <= run.latency_ns.p90 <= run.latency_ns.p99
    assert 0 < run.requests_per_s * run.seconds <= run.good
    assert 1_000_000 < run.cpu_ns_per_good < 1_000_000_000
    assert 0 < run.generator_cpu_ns < 50_000_000


def test_it_started_and_holds_memory(running):
    assert 0 < running.cold_start_ns < 60_000_000_000
    memory = memory_bytes(running.process)
    assert 20_000_000 < memory.pss <= memory.rss


def test_agreement_counts_equal_classes(running, cats):
    found = agreement(running, cats, "the labels", [282, 7])
    assert (found.same, found.photos) == (1, 2)


def test_stages_sum_up_to_less_than_the_latency(running, cats):
    stages = {s.stage: s.mean_ns for s in stage_times(running, cats, clients=1, requests=6)}
    assert {"receive", "decode", "infer"} <= stages.keys()
    finished = send_all(running.endpoint, Turns(cats, most=6), clients=1)
    assert sum(stages.values()) < 3 * max(f.reply.latency_ns for f in finished)


def test_a_server_that_ends_says_why(chelsea_jpeg):
    with pytest.raises(PeerFailed, match=r"broken ended.*none"):
        RunningPeer(photic("broken", "--cpus", "none"), chelsea_jpeg)


def test_all_servers_have_names_of_their_own():
    assert all(isinstance(s, Server) and s.name == name for name, s in SERVERS.items())
    assert len({server.label for server in SERVERS.values()}) == len(SERVERS)
