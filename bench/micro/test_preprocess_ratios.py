"""The CPU time of others for the same rows as a multiple of Photic's, in turns in one run.

Ratios of one minute are worth more than times of two. ``python -m bench peers`` measures the same
and holds it beside the bars; this takes seconds.
"""

import pytest

from bench.harness.mixes import Mix
from bench.peers.preprocess import preprocess_runs
from bench.report.measured import by_round, measured, ratio

ROUNDS = 7


def test_ratios(photos, capsys, request):
    if not request.config.getoption("--benchmark-enable"):
        pytest.skip("measures only with --benchmark-enable")
    runs = list(preprocess_runs([Mix("photos", tuple(photos))], ROUNDS))
    times = {
        name: by_round([run for run in runs if run.name == name], lambda run: run.cpu_ns_per_photo)
        for name in dict.fromkeys(run.name for run in runs)
    }
    with capsys.disabled():
        print(f"\n{len(photos)} photos, {ROUNDS} rounds: CPU-ms a photo, ratio to Photic")
        for name, by_number in times.items():
            took, relative = measured([*by_number.values()]), ratio(by_number, times["photic"])
            print(f"  {name:20} {took.median / 1e6:8.2f} {relative.median:6.2f} x")
