"""The small parts of the harness: mixes, figures, the process tree, servers that are paused."""

import io
import subprocess
import sys
import time
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
from bench.peers.idle import Paused, pause_the_busy
from bench.peers.registry import SERVERS, missing
from bench.peers.stages import durations_ns

SPIN = "while True: pass"
SLEEP = "import signal; signal.pause()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SPIN!r}])"


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
    started = []

    def run(code):
        started.append(subprocess.Popen([sys.executable, "-c", code]))
        return psutil.Process(started[-1].pid)

    yield run
    for process in started:
        if process.poll() is None:
            end_tree(psutil.Process(process.pid))
        process.wait()


def wait_until(condition):
    ends = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_cpu_time_of_children_counts_and_ending_ends_them(spawn):
    root = spawn(PARENT)
    wait_until(lambda: cpu_ns(root) > 300_000_000)
    tree = members(root)
    assert len(tree) == 2
    assert root.cpu_times().user < 0.3
    end_tree(root)
    assert not any(process.is_running() for process in tree)


def test_the_busy_are_stopped_between_their_turns(spawn):
    said = []
    busy, idle = (
        SimpleNamespace(process=spawn(code), server=SimpleNamespace(name=name))
        for name, code in (("busy", SPIN), ("idle", SLEEP))
    )
    wait_until(lambda: cpu_ns(busy.process) > 50_000_000)
    with pause_the_busy([busy, idle], said.append) as paused:
        assert [line.split()[0] for line in said] == ["busy"]
        wait_until(lambda: busy.process.status() == psutil.STATUS_STOPPED)
        assert idle.process.status() != psutil.STATUS_STOPPED
        with paused.awake(busy), paused.awake(idle):
            wait_until(lambda: busy.process.status() == psutil.STATUS_RUNNING)
        wait_until(lambda: busy.process.status() == psutil.STATUS_STOPPED)
    wait_until(lambda: busy.process.status() == psutil.STATUS_RUNNING)


def test_nobody_needs_to_be_stopped(spawn):
    peer = SimpleNamespace(process=spawn(SLEEP))
    with Paused([]).awake(peer):
        assert peer.process.is_running()
