"""The bars that the project set itself (issue 3), each computed from one run's results."""

from bench.harness.results import Results
from bench.report.bar import Bar
from bench.report.bars_closed import closed_bars
from bench.report.bars_preprocess import preprocess_bars
from bench.report.measured import by_round, measured, ratio
from bench.report.selection import CLOSED_FIGURES, PHOTIC, mix_of_role, open_at

__all__ = ["bars"]

OPEN_FRACTION = 0.7
MEMORY_REQUESTS = 10_000


def bars(results: Results) -> list[Bar]:
    """All of them, in the issue's order; those that this run did not measure have no figure."""
    return [
        *closed_bars(results),
        _open_loop_bar(results),
        _memory_bar(results),
        _cold_start_bar(results),
        *_torch_bars(results),
        *preprocess_bars(results),
    ]


def _open_loop_bar(results: Results) -> Bar:
    mix = mix_of_role(results, "labelled")

    def p99(server: str) -> dict[int, float]:
        runs = open_at(results, server, mix, OPEN_FRACTION, "naive R")
        return by_round(runs, lambda run: run.latency_ns.p99)

    name = f"p99, open loop at {OPEN_FRACTION:.0%} of the naive server's R, {mix} / naive"
    return Bar(name, 0.6, 0.5, ratio(p99(PHOTIC), p99("naive")))


def _memory_bar(results: Results) -> Bar:
    """Of the most requests that this run sent; a short run's figure is no verdict."""
    ours = [run for run in results.memory if run.server == PHOTIC]
    requests = max((run.requests for run in ours), default=MEMORY_REQUESTS)
    sizes = [run.pss_bytes / 1e6 for run in ours if run.requests == requests]
    figure = f"memory (PSS of the process tree) after {requests:,} requests"
    conclusive = requests >= MEMORY_REQUESTS
    return Bar(figure, 260, 200, measured(sizes), unit=" MB", conclusive=conclusive)


def _cold_start_bar(results: Results) -> Bar:
    starts = [run.ns / 1e9 for run in results.cold_start if run.server == PHOTIC]
    return Bar("cold start to the first good answer", 2, 1, measured(starts), unit=" s")


def _torch_bars(results: Results) -> list[Bar]:
    def p50(server: str) -> dict[int, float]:
        runs = [run for run in results.torch if run.server == server]
        return by_round(runs, CLOSED_FIGURES["p50_ms"])

    return [
        Bar(
            f"p50, 1 client, {name}: eager torch + FastAPI / Photic",
            bar,
            None,
            ratio(p50(f"eager-{name.lower()}"), p50(f"photic-{name.lower()}")),
            at_most=False,
        )
        for name, bar in (("MobileNetV2", 2.2), ("ResNet50", 1.8))
    ]
