"""The instruction-count guard: callgrind's format, the baseline, the verdict."""

import pytest

from bench.guard.baseline import Counts, find, read, replace, write
from bench.guard.callgrind import parse
from bench.guard.counting import Count, Toolchain
from bench.guard.table import comparison, worst_change

# After the manual's "File format": names once with a number, later by number alone; the line after
# `calls=` is the callee's cost, which is counted where the callee is listed.
PROFILE = """\
# callgrind format
version: 1
positions: line
events: Ir
summary: 1630

ob=(1) /build/driver
fl=(1) main.cc
fn=(1) main
16 400
cob=(2) /lib/libjpeg.so.62
cfn=(2) jpeg_read_scanlines
calls=3 50
16 900
+1 100
fi=(2) inlined.h
* 30

ob=(2)
fl=(3) ???
fn=(2)
0 850
cfn=(3) memset
calls=1 0
0 50

fn=(3)
0 50
-2 200
"""

TOOLS = Toolchain("x86_64", "GCC: 12", "libjpeg.so.62 abc", "avx2")


def counts(instructions=1_000_000, *, ours=200_000, digest="d1", toolchain=TOOLS):
    groups = {"libjpeg": instructions - ours, "filter_row": ours - 10, "tiny": 10}
    return Counts(toolchain, {"rocket": Count(digest, instructions, ours, groups)})


def test_self_costs_are_summed_by_object_and_function():
    assert parse(PROFILE) == {
        ("/build/driver", "main"): 400 + 100 + 30,
        ("/lib/libjpeg.so.62", "jpeg_read_scanlines"): 850,
        ("/lib/libjpeg.so.62", "memset"): 250,
    }
    assert parse(PROFILE).total() == 1630


def test_a_baseline_survives_its_file(tmp_path):
    path = tmp_path / "baseline.json"
    assert read(path) == []
    write([counts()], path)
    assert read(path) == [counts()]


def test_a_baseline_holds_for_its_toolchain_and_its_very_files():
    other = Toolchain("aarch64", "GCC: 12", "libjpeg.so.62 abc", "baseline")
    assert find([counts()], counts(2_000_000)) == counts()
    assert find([counts()], counts(toolchain=other)) is None
    assert find([counts()], counts(digest="d2")) is None


def test_new_counts_replace_those_of_their_toolchain_only():
    other = counts(toolchain=Toolchain("aarch64", "GCC: 12", "libjpeg.so.62 abc", "baseline"))
    assert replace([counts(), other], counts(500_000)) == [other, counts(500_000)]


def test_the_change_is_relative_to_the_baseline():
    assert worst_change(counts(1_000_000), counts(1_060_000)) == pytest.approx(0.06)
    assert worst_change(counts(), counts(900_000, ours=190_000)) == pytest.approx(-0.05)


def test_our_own_code_cannot_hide_behind_the_library():
    """20,000 instructions more are 2 % of the photo, but 10 % of what is ours."""
    assert worst_change(counts(), counts(1_020_000, ours=220_000)) == pytest.approx(0.1)


def test_the_table_shows_totals_large_groups_and_the_rest():
    lines = comparison(counts(), counts(1_100_000)).splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["rocket", "1.000", "1.100", "+10.00", "%"],
        ["all", "of", "our", "own", "code", "0.200", "0.200", "+0.00", "%"],
        ["libjpeg", "0.800", "0.900", "+12.50", "%"],
        ["filter_row", "0.200", "0.200", "+0.00", "%"],
        ["the", "rest", "0.000", "0.000", "+0.00", "%"],
    ]


def test_the_table_without_a_baseline():
    lines = comparison(None, counts()).splitlines()
    assert lines[2].split() == ["rocket", "-", "1.000"]
