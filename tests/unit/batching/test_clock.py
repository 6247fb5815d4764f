import threading
import time

from photic.batching.clock import MONOTONIC, Signal


def test_it_counts_nanoseconds_of_the_monotonic_clock():
    before, now, after = time.monotonic_ns(), MONOTONIC.now_ns(), time.monotonic_ns()
    assert before <= now <= after


def test_a_signal_ends_a_wait_without_a_time():
    signal, ended = Signal(), threading.Event()
    threading.Thread(target=lambda: (MONOTONIC.wait(signal, None), ended.set())).start()
    assert not ended.is_set()
    signal.put(None)
    assert ended.wait(10.0)


def test_a_wait_ends_at_its_time():
    until_ns = MONOTONIC.now_ns() + 2_000_000
    MONOTONIC.wait(Signal(), until_ns)
    assert MONOTONIC.now_ns() >= until_ns - 1_000_000  # the system may round to its own ticks


def test_a_wait_until_a_time_past_ends_at_once():
    MONOTONIC.wait(Signal(), MONOTONIC.now_ns() - 1)


def test_a_time_beyond_what_the_system_can_wait_for_is_no_error():
    signal = Signal()
    signal.put(None)
    MONOTONIC.wait(signal, 10**30)
