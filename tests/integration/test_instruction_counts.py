"""The native path's instruction counts on three photos, against the committed baseline.

Instructions, unlike time, are the same on every run: a change of 1 % is a change of the code.
"""

import shutil

import pytest

from bench.guard.__main__ import count_all
from bench.guard.baseline import MOST, find, read
from bench.guard.table import comparison, worst_change


def test_no_photo_costs_more_than_its_baseline_allows(measured):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed: no instructions are counted")
    now = count_all()
    baseline = find(read(), now)
    if baseline is None:
        pytest.skip(f"no baseline for this toolchain ({now.toolchain}): `make guard-baseline`")
    change = worst_change(baseline, now)
    measured(f"instructions of the native path: {100 * change:+.2f} % at the worst photo")
    assert change <= MOST, comparison(baseline, now)
