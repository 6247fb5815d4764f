"""The load generator: a process with its own account of CPU time, and with a higher priority."""

import gc
import multiprocessing
import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import msgspec
import psutil

from bench.load import arrivals as poisson
from bench.load.arrivals import Arrivals
from bench.load.callers import Callers
from bench.load.trace import Exchange, Trace

__all__ = ["Order", "generate"]

_SWITCH_INTERVAL_S = 0.000_5
"""At most so long does the reading thread keep the interpreter from an arrival."""


class Order(msgspec.Struct, frozen=True):
    """What to send where, and when."""

    address: tuple[str, int]
    requests: tuple[bytes, ...]
    """Whole HTTP requests, one for each photo."""
    arrivals: Arrivals
    deadline_ns: int


def generate(order: Order) -> Trace:
    """Run one trial in a new process."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_generate, order).result()


def _generate(order: Order) -> Trace:
    priority = _hurry()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    gc.disable()
    callers = Callers(order.address, order.requests, order.deadline_ns)
    wall, cpu, busy = time.monotonic_ns(), _cpu_ns(), _busy_ns()

    def finish() -> None:
        nonlocal wall, cpu, busy
        callers.close()
        wall, cpu, busy = time.monotonic_ns() - wall, _cpu_ns() - cpu, _busy_ns() - busy

    scheduled = poisson.run(order.arrivals, callers.issue, finish)
    exchanges = [
        Exchange(at, call.sent_ns, call.ended_ns, call.status)
        for at, call in zip(scheduled, callers.calls, strict=True)
    ]
    return Trace(exchanges, wall, cpu, busy, callers.most_open, priority)


def _cpu_ns() -> int:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return round((used.ru_utime + used.ru_stime) * 1e9)


def _busy_ns() -> int:
    times = psutil.cpu_times()
    working = (times.user, times.nice, times.system, times.irq, times.softirq, times.steal)
    return round(sum(working) * 1e9)


def _hurry() -> str:
    """Come before the server, which shares the cores: arrivals must not wait for their own load."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        pass
    else:
        return "rr"
    try:
        os.nice(-10)
    except OSError:
        return "normal"
    return "nice -10"
