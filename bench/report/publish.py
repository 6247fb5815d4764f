"""The published copy of a run: docs/benchmarks/, and the README's table made from it."""

import shutil
from pathlib import Path
from typing import Final

import msgspec

from bench.harness.results import Results, read_results
from bench.report.document import write_report
from bench.report.machine_table import machine_line
from bench.report.micro_table import compact, read_micro
from bench.report.plots import LATENCY_PLOT, captions
from bench.report.servers_table import summary_table

__all__ = ["PUBLISHED", "ROOT", "publish", "readme_part", "readme_with"]

ROOT: Final = Path(__file__).parents[2]
PUBLISHED: Final = Path("docs/benchmarks")
BEGIN: Final = "<!-- benchmark: written by `python -m bench report --publish --out DIR` -->"
END: Final = "<!-- end of benchmark -->"


def publish(run: Path, root: Path = ROOT) -> Path:
    """Copies a run into `docs/benchmarks` and writes the README's table from it.

    Args:
        run: a folder with `results.json` and perhaps `micro.json`.
        root: of the repository.

    Returns:
        The folder of the published copy: both files, compact, and the report made from them.

    Raises:
        FileNotFoundError: There is no `results.json`.
        ValueError: The README lacks the two markers.
    """
    results, micro = read_results(run / "results.json"), read_micro(run / "micro.json")
    readme = root / "README.md"
    text = readme_with(readme.read_text(), results)
    target = root / PUBLISHED
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "results.json").write_bytes(msgspec.json.encode(results) + b"\n")
    if micro:
        (target / "micro.json").write_bytes(compact(micro))
    write_report(target)
    readme.write_text(text)
    return target


def readme_part(results: Results) -> str:
    """The table, on which machine it was measured, and a plot."""
    parts = [summary_table(results), machine_line(results)]
    if caption := captions(results).get(LATENCY_PLOT):
        parts += [f"![Latency against load]({PUBLISHED / LATENCY_PLOT})", caption]
    return "\n\n".join(parts)


def readme_with(text: str, results: Results) -> str:
    """The README's text with the part of these results between the markers.

    Raises:
        ValueError: A marker is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README lacks {BEGIN} or {END}")
    return f"{before}{BEGIN}\n\n{readme_part(results)}\n\n{END}{after}"
