"""Where the CPU time of an answer goes: preprocessing, inference, the stages of a request."""

from bench.harness.results import Results
from bench.report.markdown import ABSENT, number, section, spread, table
from bench.report.measured import measured, ratio
from bench.report.selection import PHOTIC, floor_by_round, mixes, preprocess_by_round

__all__ = ["floor_section", "preprocess_section", "stages_section"]


def preprocess_section(results: Results) -> str:
    """A photo's bytes to the model's row, by library and mix."""
    names = sorted(dict.fromkeys(r.name for r in results.preprocess), key=lambda n: n != PHOTIC)
    present = [mix for mix in mixes(results) if any(r.mix == mix for r in results.preprocess)]
    header = ["with"]
    for mix in present:
        header += [f"{mix}: CPU-ms a photo", "/ Photic's"]
    rows = []
    for name in names:
        row = [name]
        for mix in present:
            times = preprocess_by_round(results, name, mix)
            relative = ratio(times, preprocess_by_round(results, PHOTIC, mix))
            row += [spread(measured(list(times.values())))]
            row += [number(relative.median) if relative else ABSENT]
        rows.append(row)
    note = "One thread; the ratio is the median of the ratios within each round."
    return section("Preprocessing", note, table(header, rows)) if rows else ""


def floor_section(results: Results) -> str:
    """ONNX Runtime alone."""
    counts = sorted({run.concurrent for run in results.ort_floor})
    times = [list(floor_by_round(results, count).values()) for count in counts]
    rows = [
        (str(count), spread(measured(values))) for count, values in zip(counts, times, strict=True)
    ]
    header = ("runs at once, one thread each", "CPU-ms an inference")
    return section("ONNX Runtime alone", table(header, rows)) if rows else ""


def stages_section(results: Results) -> str:
    """Photic's own account of a request, from its Server-Timing."""
    stages = list(dict.fromkeys(time.stage for time in results.stages))
    cases = list(dict.fromkeys((time.mix, time.clients) for time in results.stages))
    means = {(t.mix, t.clients, t.stage): t.mean_ns / 1e6 for t in results.stages}
    rows = [
        (mix, str(clients), *(number(means.get((mix, clients, stage))) for stage in stages))
        for mix, clients in cases
    ]
    note = "Mean milliseconds of wall time, as `Server-Timing` tells them; at many clients a stage "
    note += "includes the wait for a core."
    header = ("mix", "clients", *stages)
    return section("Stages of a request", note, table(header, rows)) if rows else ""
