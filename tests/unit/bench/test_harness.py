"""The small parts of the harness: mixes, figures, the process tree, servers that are paused."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import msgspec
import psutil
import pytest
from PIL import Image

from bench.harness import mixes
from bench.harness.fingerprint import current_commit, fingerprint
from bench.harness.mixes import MOST, folder_mix
from bench.harness.process_tree import cpu_ns, end_tree, members
from bench.harness.results import (
    Results,
    RunSettings,
    percentiles,
    read_results,
    write_results,
)
from bench.harness.server import Launch, bench_environment
from bench.peers.idle import pause_the_busy
from bench.peers.registry import SERVERS, missing
from bench.peers.stages import durations_ns

SPIN = """
print("ready", flush=True)
while True: pass
"""
PAUSE = """
import signal
print("ready", flush=True)
signal.pause()
"""
SPIN_A_WHILE = """
import signal, time
while time.process_time() < 0.4: pass
print("ready", flush=True)
signal.pause()
"""
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SPIN_A_WHILE!r}])"


def test_percentiles_are_nearest_ranks():
    found = percentiles([*range(100, 0, -1)])
    assert (found.p50, found.p90, found.p99) == (50, 90, 99)
    assert percentiles([7]).p99 == 7
    assert percentiles([]).p50 == 0


def test_results_survive_their_file(tmp_path):
    results = Results(fingerprint(), current_commit(), "2026-11-30T00:00:00", RunSettings())
    results.not_run["triton"] = "no Python 3.13"
    assert read_results(write_results(results, tmp_path / "new")) == results


def test_the_fingerprint_names_the_machine():
    found = fingerprint()
    assert found.cpus >= 1
    assert found.memory_bytes > 0
    assert found.packages["photic"]
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found


def test_default_mixes_are_small_medium_and_large():
    megapixels = [width * height / 1e6 for width, height in mixes.SIZES.values()]
    assert list(mixes.SIZES) == ["small", "medium", "large"]
    assert megapixels == pytest.approx([0.18, 1.1, 13], rel=0.05)


def test_default_mixes_have_their_sizes_and_no_twins(monkeypatch):
    monkeypatch.setattr(mixes, "SIZES", {"small": (500, 375), "tall": (100, 200)})
    small, tall = mixes.default_mixes()
    assert (small.name, tall.name) == ("small", "tall")
    assert {Image.open(io.BytesIO(photo)).size for photo in tall.photos} == {(100, 200)}
    assert len(set(small.photos)) == len(small.photos) >= 4


def test_a_folder_is_sampled_evenly_and_always_in_the_same_order(tmp_path):
    for number in range(3 * MOST):
        (tmp_path / f"{number:04}.jpg").write_bytes(str(number).encode())
    (tmp_path / "notes.txt").write_text("no photo")
    mix = folder_mix(tmp_path)
    assert sorted(int(photo) for photo in mix.photos) == list(range(0, 3 * MOST, 3))
    assert mix == folder_mix(tmp_path)
    assert list(mix.photos) != sorted(mix.photos)


def test_a_folder_without_photos_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no \.jpg"):
        folder_mix(tmp_path)


def test_stages_are_read_from_the_headers():
    head = b"http/1.1 200 ok\r\nserver-timing: decode;dur=1.250, infer;dur=9\r\nx: y;dur=4"
    assert durations_ns(head) == {"decode": 1_250_000, "infer": 9_000_000}
    assert durations_ns(b"http/1.1 200 ok") == {}


def test_settings_of_the_caller_do_not_reach_servers(monkeypatch):
    monkeypatch.setenv("PHOTIC_SERVER_PORT", "1")
    assert "PHOTIC_SERVER_PORT" not in bench_environment()
    assert bench_environment({"A": "b"})["A"] == "b"


def test_what_is_not_set_up_is_missing():
    assert missing(SERVERS["photic"]) is None
    nowhere = Launch(("/nowhere/rivals-triton/bin/python",))
    reason = missing(msgspec.structs.replace(SERVERS["triton"], launch=lambda _: nowhere))
    assert "/nowhere/rivals-triton was not set up (needs Python 3.13)" in reason


@pytest.fixture
def spawn():
    """Starts a Python program; returns when it has printed its first line."""
    started = []

    def run(code):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"ready\n"
        return psutil.Process(process.pid)

    yield run
    for process in started:
        if process.poll() is None:
            end_tree(psutil.Process(process.pid))
        process.wait()
        process.stdout.close()


def test_cpu_time_of_children_counts_and_ending_ends_them(spawn):
    root = spawn(PARENT)
    tree = members(root)
    assert len(tree) == 2
    assert root.cpu_times().user < 0.3 < cpu_ns(root) / 1e9
    end_tree(root)
    assert not any(process.is_running() for process in tree)


def await_state(peer, state):
    """Until the kernel reports that the child was stopped, or goes on."""
    os.waitid(os.P_PID, peer.process.pid, state)


def test_the_busy_are_stopped_between_their_turns(spawn):
    said = []
    busy, idle = (
        SimpleNamespace(process=spawn(code), server=SimpleNamespace(name=name))
        for name, code in (("busy", SPIN), ("idle", PAUSE))
    )
    with pause_the_busy([busy, idle], said.append) as paused:
        assert [line.split()[0] for line in said] == ["busy"]
        await_state(busy, os.WSTOPPED)
        assert idle.process.status() != psutil.STATUS_STOPPED
        with paused.awake(busy), paused.awake(idle):
            await_state(busy, os.WCONTINUED)
        await_state(busy, os.WSTOPPED)
    await_state(busy, os.WCONTINUED)
