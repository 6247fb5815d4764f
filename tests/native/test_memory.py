"""No image, good or bad, leaves memory behind (bug B01)."""

import gc
from pathlib import Path

import numpy as np
import pytest

from corpus.uploads import UPLOADS
from oracle.photos import jpeg, photo
from photic.preprocess._native import NativeError

MB = 1_000_000


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def good_and_bad() -> list[bytes]:
    files = []
    for options in ({}, {"progressive": True}, {"subsampling": "4:4:4"}):
        whole = jpeg(photo("chelsea"), **options)
        files += [whole, whole[: len(whole) // 2], whole[:300], whole[:-2]]
        files += [whole[:700] + bytes(40) + whole[740:], b"\xff\xd8" + whole[40:]]
    return [*files, b"", b"GIF89a", *(upload.data for upload in UPLOADS if len(upload.data) < MB)]


def decode_all(decoder, files, times):
    out = np.empty((3, 224, 224), np.float32)
    refused = 0
    for _ in range(times):
        for data in files:
            try:
                decoder.decode_into(data, out)
            except NativeError:
                refused += 1
    return refused


def growth(decoder, files, times):
    decode_all(decoder, files, 2)
    gc.collect()
    before = resident_bytes()
    assert decode_all(decoder, files, times) > 0
    gc.collect()
    return resident_bytes() - before


def test_memory_stays_flat_over_a_few_decodes(make_decoder):
    files = [data for data in good_and_bad() if len(data) < 50_000]
    assert growth(make_decoder(), files, 5) < 8 * MB


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_memory_stays_flat_over_20000_decodes(make_decoder):
    files = good_and_bad()
    assert abs(growth(make_decoder(), files, 20_000 // len(files) + 1)) < 20 * MB


@pytest.mark.slow
def test_decoders_give_their_memory_back(make_decoder, chelsea_jpeg, row):
    def use():
        for _ in range(200):
            make_decoder().decode_into(chelsea_jpeg, row)

    use()
    before = resident_bytes()
    use()
    assert resident_bytes() - before < 8 * MB
