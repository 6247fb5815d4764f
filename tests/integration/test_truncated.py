"""A JPEG that was cut is ``truncated``, wherever it was cut and however it is encoded."""

import numpy as np
import pytest

from oracle import ours
from oracle.photos import jpeg, photo
from oracle.recipes import LITE0
from photic.errors import ImageError
from photic.preprocess import Preprocessor
from photic.settings import DecodeSettings

each_encoding = pytest.mark.parametrize(
    "options",
    [
        {},
        {"progressive": True},
        {"subsampling": "4:4:4", "restart_marker_blocks": 5},
        {"progressive": True, "restart_marker_rows": 1},
    ],
    ids=["baseline", "progressive", "restarts", "progressive-restarts"],
)
CUTS = 400
SEGMENTS = {b"\xff\xc4", b"\xff\xda"}
"""Huffman tables and starts of scan: what stands between the scans of a progressive file."""

EOI = 2
"""Bytes of the end-of-image marker."""


def first_scan(data: bytes) -> int:
    """Where the entropy-coded data of the first scan begins."""
    start = data.index(b"\xff\xda")
    return start + 2 + int.from_bytes(data[start + 2 : start + 4], "big")


def word(preprocessor, data) -> str:
    try:
        preprocessor.into(data, np.empty(preprocessor.shape, preprocessor.dtype))
    except ImageError as error:
        return error.code
    return "ok"


@each_encoding
def test_every_cut_is_seen(options):
    """The crop leaves out rows at the bottom: a cut below it is seen all the same."""
    data = jpeg(photo("chelsea"), **options)
    preprocessor = Preprocessor(LITE0, DecodeSettings())
    begin, end = first_scan(data), len(data) - EOI
    between = [cut for cut in range(begin, end) if data[cut : cut + 2] in SEGMENTS]
    cuts = {*range(begin, end, (end - begin) // CUTS), *range(end - 20, end)}
    cuts |= {cut + more for cut in between for more in range(-1, 6)}
    words = {cut: word(preprocessor, data[:cut]) for cut in cuts}
    assert {cut: found for cut, found in words.items() if found != "truncated"} == {}


@each_encoding
def test_a_missing_end_marker_alone_is_harmless(options):
    data = jpeg(photo("chelsea"), **options)
    whole = ours.row(data, LITE0)
    for ending in (data[:-1], data[:-EOI], data + b"\x00" * 1_000, data + data):
        assert (ours.row(ending, LITE0) == whole).all()


@each_encoding
def test_a_cut_photo_may_be_accepted(options):
    """With ``truncated = "accept"`` what is there is shown: the top of the image, unharmed."""
    data = jpeg(photo("chelsea"), **options)
    preprocessor = Preprocessor(LITE0, DecodeSettings(truncated="accept"))
    row = np.empty(preprocessor.shape, preprocessor.dtype)
    preprocessor.into(data[: len(data) * 9 // 10], row)
    top = np.abs(row - ours.row(data, LITE0))[:, :100] * 128
    assert top.mean() <= (0.0 if "progressive" not in options else 8.0)
