"""The report of one run: Markdown and plots beside its results.json."""

from pathlib import Path

from bench.harness.results import Results, read_results
from bench.report.bars_table import bars_section
from bench.report.cost_table import floor_section, preprocess_section, stages_section
from bench.report.machine_table import machine_section, not_run_section, versions_section
from bench.report.micro_table import Micro, micro_section, read_micro
from bench.report.open_table import batches_section, capacity_section, open_section
from bench.report.plots import captions, draw_plots
from bench.report.servers_table import costs_section, mixes_section
from bench.report.torch_table import torch_section

__all__ = ["report_text", "write_report"]


def write_report(folder: Path) -> Path:
    """Writes `report.md` and the plots into the folder of a run.

    Args:
        folder: holds `results.json` and, where the microbenchmarks ran, `micro.json`.

    Returns:
        The path of `report.md`.

    Raises:
        FileNotFoundError: There is no `results.json`.
        msgspec.ValidationError: A file is not what its name says.
    """
    results = read_results(folder / "results.json")
    draw_plots(results, folder)
    path = folder / "report.md"
    path.write_text(report_text(results, read_micro(folder / "micro.json")))
    return path


def report_text(results: Results, micro: list[Micro]) -> str:
    """All sections for which there are figures; plots are linked as files beside the text."""
    plots = captions(results).items()
    images = "\n\n".join(f"![{Path(name).stem}]({name})\n\n{text}" for name, text in plots)
    sections = (
        machine_section(results),
        bars_section(results),
        images,
        mixes_section(results),
        costs_section(results),
        capacity_section(results),
        open_section(results),
        batches_section(results),
        torch_section(results),
        preprocess_section(results),
        floor_section(results),
        stages_section(results),
        micro_section(micro),
        versions_section(results),
        not_run_section(results),
    )
    return "\n\n".join(["# Benchmark", *filter(None, sections)]) + "\n"
