"""The GIL is free while the core works, and a decoder belongs to one thread at a time."""

import sys
import threading

import pytest


@pytest.fixture
def no_forced_switch():
    """Lets another thread run only where this one gives the GIL away."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(interval)


def test_the_gil_is_released(make_decoder, large_jpeg, row, no_forced_switch):
    decoder = make_decoder()
    started, go = threading.Event(), threading.Event()
    progress = []

    def other():
        started.set()
        go.wait()
        progress.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    started.wait()
    go.set()
    for _ in range(200):  # the machine may be too busy to run the other thread during the first
        decoder.decode_into(large_jpeg, row)
        if progress:
            break
    assert progress
    thread.join()


def test_a_second_thread_is_kept_out(make_decoder, large_jpeg, row):
    decoder = make_decoder()
    other_row = row.copy()
    refused = threading.Event()
    reasons = []

    def work(out):
        while not refused.is_set():
            try:
                decoder.decode_into(large_jpeg, out)
            except RuntimeError as error:
                reasons.append(str(error))
                refused.set()

    threads = [threading.Thread(target=work, args=(out,)) for out in (row, other_row)]
    for thread in threads:
        thread.start()
    assert refused.wait(60)
    for thread in threads:
        thread.join()
    assert set(reasons) == {"this decoder is in use by a thread"}
    decoder.decode_into(large_jpeg, row)


def test_threads_with_their_own_decoders_agree(make_decoder, decode, chelsea_jpeg, row):
    expected = decode(chelsea_jpeg)
    barrier = threading.Barrier(4)
    wrong = []

    def work():
        decoder, out = make_decoder(), row.copy()
        barrier.wait()
        for _ in range(50):
            out.fill(0.0)
            decoder.decode_into(chelsea_jpeg, out)
            if not (out == expected).all():
                wrong.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
