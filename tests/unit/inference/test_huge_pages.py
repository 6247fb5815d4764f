"""Which mappings are worth large pages, and that asking for them harms nothing."""

import logging
import mmap
from pathlib import Path

import pytest

from photic.inference import huge_pages
from photic.inference.huge_pages import Mapping, collapse, worthwhile

MB = 1 << 20
SMAPS = """\
{range} {rights} 00000000 00:00 0 {name}
Size:               8192 kB
Rss:                {resident} kB
Pss:                   0 kB
VmFlags: rd wr mr mw me ac sd
"""


def smaps(
    *, megabytes: int = 8, resident: float = 1.0, rights: str = "rw-p", name: str = ""
) -> str:
    start = 0x7F0000000000
    return SMAPS.format(
        range=f"{start:x}-{start + megabytes * MB:x}",
        rights=rights,
        resident=round(megabytes * 1024 * resident),
        name=name,
    )


@pytest.mark.parametrize("options", [{}, {"name": "[heap]"}, {"megabytes": 4}, {"resident": 0.8}])
def test_large_full_anonymous_memory_is_worth_it(options):
    text = smaps(megabytes=8, name="/usr/lib/libc.so") + smaps(**options)
    size = options.get("megabytes", 8) * MB
    [mapping] = worthwhile(text)
    assert mapping.end - mapping.start == size
    assert mapping.resident == pytest.approx(size * options.get("resident", 1.0), rel=1e-3)


@pytest.mark.parametrize(
    "options",
    [
        {"name": "/var/photic-1/weights.bin (deleted)"},
        {"name": "[stack]"},
        {"rights": "r--p"},
        {"rights": "rw-s"},
        {"megabytes": 3},
        {"resident": 0.5},
    ],
    ids=str,
)
def test_other_memory_is_left_alone(options):
    assert list(worthwhile(smaps(**options))) == []


def test_this_process_has_such_memory_and_keeps_its_contents():
    memory = mmap.mmap(-1, 16 * MB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory[:] = pattern = bytes(range(256)) * (16 * MB // 256)
    mappings = list(worthwhile(Path("/proc/self/smaps").read_text()))
    assert any(mapping.end - mapping.start >= 16 * MB for mapping in mappings)
    collapse()
    assert memory[:] == pattern
    memory.close()


@pytest.mark.parametrize("text", ["", "garbage\nRss: 1 kB\n", "7f00-7f01 rw-p\nRss: x kB\n"])
def test_text_of_another_kind_yields_nothing(text):
    assert list(worthwhile(text)) == []


def test_where_there_is_no_such_file_nothing_happens(monkeypatch, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(huge_pages, "_SMAPS", tmp_path / "smaps")
    collapse()
    [record] = caplog.records
    assert record.levelno == logging.DEBUG
    assert "no huge pages" in record.getMessage()


def test_a_refusal_of_the_kernel_counts_nothing():
    assert not huge_pages._collapse_page(0)


@pytest.mark.parametrize(
    ("start", "end", "pages"),
    [(0, 8, [0, 2, 4, 6]), (1, 8, [2, 4, 6]), (1, 7, [2, 4]), (1, 3, []), (2, 4, [2])],
)
def test_pages_lie_within_their_mapping(start, end, pages):
    mapping = Mapping(start * MB, end * MB, 0)
    assert [page // MB for page in huge_pages._pages(mapping)] == pages


def test_no_page_is_begun_when_the_time_is_over(monkeypatch):
    monkeypatch.setattr(huge_pages, "_AT_MOST_NS", 0)
    asked = []
    monkeypatch.setattr(huge_pages, "_collapse_page", lambda page: bool(asked.append(page)))
    collapse()
    assert asked == []
