"""Why the plan is what it is, in words for people."""

from collections.abc import Iterator

from msgspec import Struct

from photic.cpu_budget.share import CpuShare, cpus

__all__ = ["Reasons", "reasons_for", "warnings_for"]


class Reasons(Struct, frozen=True):
    """One reason for each number of the plan of the same name."""

    workers: str = ""
    intra_op_threads: str = ""
    latency_threads: str = ""
    server_threads: str = ""


def reasons_for(
    share: CpuShare, workers: int, real: int, asked_latency: int, most_latency: int
) -> Reasons:
    """The reasons.

    Args:
        share: What the machine gives.
        workers: As planned.
        real: Whole CPUs that are planned for and exist.
        asked_latency: ``inference.latency_threads``.
        most_latency: The most latency threads unasked.
    """
    return Reasons(
        workers=_workers(share, workers),
        intra_op_threads="runs side by side on one thread each answer the most requests",
        latency_threads=_latency(real, asked_latency, most_latency),
        server_threads="what Granian has; one carries more requests than the event loop",
    )


def warnings_for(share: CpuShare, workers: int) -> tuple[str, ...]:
    """What does not fit together."""
    return tuple(_warnings(share, workers))


def _workers(share: CpuShare, workers: int) -> str:
    if share.cpus < 1:
        return f"{share.cpus:g} of a CPU, and there must be one"
    if share.cpus == workers:
        return "one for each CPU"
    if share.cpus > workers:
        return (
            f"{share.cpus:g} CPUs rounded: one more would stop all threads when the quota is used"
        )
    return f"{share.cpus:g} CPUs rounded: half a CPU idle costs more than a short stop each period"


def _latency(real: int, asked: int, most: int) -> str:
    if real == 1:
        return "one CPU: nobody to share a lone request with"
    if asked == 1:
        return "inference.latency_threads = 1: no session for lone requests"
    if asked > real:
        return f"inference.latency_threads = {asked}, but there are no more CPUs"
    if asked:
        return f"inference.latency_threads = {asked}"
    if real > most:
        return f"at most {most} unasked: a small model gains little from more"
    return "all CPUs work on a request that is alone"


def _warnings(share: CpuShare, workers: int) -> Iterator[str]:
    throttled = share.quota is not None and (share.quota < 1 or share.quota < workers - 0.5)
    effect = "be stopped for a part of each quota period" if throttled else "wait for each other"
    if share.asked > share.available:
        yield (
            f"cpu.cpus = {share.asked:g} is more than there is ({cpus(share.available)}): threads "
            f"will {effect}, and answers take longer"
        )
    elif throttled:
        yield f"{cpus(share.available)} cannot keep one worker running: threads will {effect}"
