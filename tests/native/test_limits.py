"""Limits hold before the cost, and say the number and the limit."""

import resource
import threading
import time

import numpy as np
import pytest

from oracle.photos import jpeg, photo, resized
from photic.preprocess._native import NativeError, memory_has_room


def refused(make_decoder, data, **changes):
    out = np.empty((3, 224, 224), np.float32)
    with pytest.raises(NativeError) as caught:
        make_decoder(**changes).decode_into(data, out)
    code, detail = caught.value.args
    return code, detail


def with_size(data: bytes, width: int, height: int) -> bytes:
    """The file with another size in its frame header (SOF0 or SOF2)."""
    at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return data[: at + 5] + size + data[at + 9 :]


@pytest.fixture
def progressive():
    return jpeg(resized(photo("flower"), 320, 240), progressive=True)


def test_too_many_pixels(make_decoder, chelsea_jpeg):
    code, detail = refused(make_decoder, chelsea_jpeg, max_pixels=135_299)
    assert code == "too_many_pixels"
    assert detail == "the image is 451 x 300 = 135300 pixels; the limit is 135299"


def test_a_side_too_long(make_decoder, chelsea_jpeg):
    code, detail = refused(make_decoder, chelsea_jpeg, max_side=450)
    assert code == "too_many_pixels"
    assert detail == "the image is 451 x 300 pixels; the limit is 450 a side"


@pytest.mark.parametrize("side", [65_500, 65_501, 65_535])
def test_sizes_beyond_libjpeg(make_decoder, chelsea_jpeg, side):
    code, detail = refused(make_decoder, with_size(chelsea_jpeg, side, side))
    assert code == "too_many_pixels"
    assert str(side) in detail


def test_too_many_scans(make_decoder, progressive):
    code, detail = refused(make_decoder, progressive, max_scans=3)
    assert (code, "3" in detail) == ("too_many_scans", True)
    code, detail = refused(make_decoder, progressive, max_scan_pixels=200_000)
    assert code == "too_many_scans"
    assert "76800" in detail
    assert "200000" in detail


def test_a_scan_bomb_is_stopped_in_time(make_decoder):
    """Ten thousand scans of one flat progressive image (bug B02)."""
    data = jpeg(np.full((2000, 2000, 3), 128, np.uint8), progressive=True)
    last = data.rindex(b"\xff\xda")
    bomb = data[:-2] + data[last:-2] * 10_000 + data[-2:]
    started = time.thread_time()
    code, _ = refused(make_decoder, bomb)
    assert code == "too_many_scans"
    assert time.thread_time() - started < 1.0


def test_time(make_decoder, large_jpeg):
    code, detail = refused(make_decoder, large_jpeg, time_base_ns=2_000_000)
    assert code == "decode_time"
    assert "2 ms" in detail


def test_memory_of_one_decoder(make_decoder, progressive):
    """300 MB of coefficients for a few kilobytes: refused before any of it is touched."""
    bomb = with_size(progressive, 7_000, 7_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code, detail = refused(make_decoder, bomb, max_memory_bytes=100_000_000)
    assert code == "decoder_memory"
    assert "100000000" in detail
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_memory_of_all_decoders(make_decoder, progressive):
    bomb = with_size(progressive, 7_000, 7_000)
    code, detail = refused(make_decoder, bomb, max_total_memory_bytes=100_000_000)
    assert code == "decoder_memory"
    assert "100000000" in detail


def test_memory_that_others_hold_is_not_waited_for(make_decoder, chelsea_jpeg, row):
    """With a limit that leaves room for this image alone, beside a thread that decodes another."""
    decoder = make_decoder()
    decoder.decode_into(chelsea_jpeg, row)
    wanted = decoder.wanted_bytes
    assert 0 < wanted < 2_000_000
    alone = make_decoder(max_total_memory_bytes=wanted)
    alone.decode_into(chelsea_jpeg, row, wait=False)
    large, stop = jpeg(resized(photo("flower"), 2000, 1500), progressive=True), threading.Event()

    def keep_decoding():
        other, out = make_decoder(), row.copy()
        while not stop.is_set():
            other.decode_into(large, out)

    def decode_until_refused():
        for _ in range(1_000_000):  # until the other is in the middle of an image
            alone.decode_into(chelsea_jpeg, row, wait=False)

    thread = threading.Thread(target=keep_decoding)
    thread.start()
    try:
        with pytest.raises(NativeError) as caught:
            decode_until_refused()
    finally:
        stop.set()
        thread.join()
    assert caught.value.args[0] == "no_room"
    assert alone.wanted_bytes == wanted
    assert memory_has_room(wanted, wanted)
    assert not memory_has_room(wanted + 1, wanted)
    alone.decode_into(chelsea_jpeg, row, wait=False)


def test_tables_of_one_image_are_not_lent_to_the_next(make_decoder, chelsea_jpeg, row):
    decoder = make_decoder()
    at = chelsea_jpeg.index(b"\xff\xdb")
    length = int.from_bytes(chelsea_jpeg[at + 2 : at + 4], "big") + 2
    bare = chelsea_jpeg[:at] + chelsea_jpeg[at + length :]
    decoder.decode_into(chelsea_jpeg, row)
    with pytest.raises(NativeError) as caught:
        decoder.decode_into(bare, row)
    assert caught.value.args[0] == "bad_structure"
