"""The bars of the closed loop: cost, rate and latency beside the rivals'."""

from bench.harness.results import Results
from bench.report.bar import Bar
from bench.report.measured import Measured, ratio
from bench.report.selection import (
    BUSY,
    PHOTIC,
    closed_by_round,
    floor_by_round,
    mix_of_role,
)

__all__ = ["closed_bars"]

NAMES = {
    "naive": "naive",
    "tuned-pillow": "tuned Pillow",
    "tuned-simplejpeg": "tuned simplejpeg + OpenCV",
}


def closed_bars(results: Results) -> list[Bar]:
    """CPU time an answer, then requests per second, then latencies."""
    return [*_cpu_bars(results), *_rate_bars(results), *_latency_bars(results)]


def _cpu_bars(results: Results) -> list[Bar]:
    def against(role: str, rival: str, bar: float, stretch: float) -> Bar:
        name = f"CPU-ms an answer, {BUSY} clients, {mix_of_role(results, role)} / {NAMES[rival]}"
        return Bar(name, bar, stretch, _closed_ratio(results, role, "cpu_ms", rival))

    return [
        against("labelled", "tuned-pillow", 0.88, 0.80),
        _floor_bar(results),
        against("cc0", "tuned-pillow", 0.72, 0.65),
        against("cc0", "tuned-simplejpeg", 0.85, 0.78),
        against("camera", "tuned-pillow", 0.30, 0.25),
        against("camera", "tuned-simplejpeg", 0.75, 0.60),
    ]


def _floor_bar(results: Results) -> Bar:
    """ONNX Runtime runs as many times at once as the server does when it is busy."""
    mix, at_once = mix_of_role(results, "labelled"), results.fingerprint.cpus
    ours = closed_by_round(results, PHOTIC, mix, BUSY, "cpu_ms")
    name = f"CPU-ms an answer, {BUSY} clients, {mix} / ORT alone, {at_once} runs at once"
    return Bar(name, 1.20, 1.15, ratio(ours, floor_by_round(results, at_once)))


def _rate_bars(results: Results) -> list[Bar]:
    wanted = (("labelled", 1.4, 1.55), ("cc0", 1.7, 1.85), ("camera", 4.5, 5.5))
    return [
        Bar(
            f"requests/s, {BUSY} clients, {mix_of_role(results, role)} / naive",
            bar,
            stretch,
            _closed_ratio(results, role, "per_s", "naive"),
            at_most=False,
        )
        for role, bar, stretch in wanted
    ]


def _latency_bars(results: Results) -> list[Bar]:
    mix = mix_of_role(results, "labelled")

    def against(figure: str, clients: int, rival: str, bar: float, stretch: float | None) -> Bar:
        percentile = figure.removesuffix("_ms")
        count = "1 client" if clients == 1 else f"{clients} clients"
        found = _closed_ratio(results, "labelled", figure, rival, clients)
        return Bar(f"{percentile}, {count}, {mix} / {NAMES[rival]}", bar, stretch, found)

    return [
        against("p50_ms", 1, "tuned-pillow", 0.88, 0.75),
        against("p99_ms", BUSY, "naive", 0.65, 0.55),
        against("p99_ms", BUSY, "tuned-pillow", 1.0, None),
    ]


def _closed_ratio(
    results: Results, role: str, figure: str, rival: str, clients: int = BUSY
) -> Measured | None:
    """Ours over the rival's."""
    mix = mix_of_role(results, role)
    ours, theirs = (
        closed_by_round(results, server, mix, clients, figure) for server in (PHOTIC, rival)
    )
    return ratio(ours, theirs)
