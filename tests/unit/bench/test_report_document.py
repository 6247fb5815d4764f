"""The whole report: sections, plots as files, what is left out."""

import msgspec

from bench.harness.results import Results, write_results
from bench.report.document import report_text, write_report
from bench.report.micro_table import Micro, MicroStats, compact, read_micro
from bench_results import hand_made

MICRO = [
    Micro("test_photic[fast]", "preprocess", MicroStats(0.5, 0.4, 0.6, 10), {"ms_per_photo": 5.0})
]


def empty() -> Results:
    full = hand_made()
    return Results(full.fingerprint, full.commit, full.started, full.settings)


def rows(text, first_cell):
    """The cells of the table rows that begin with a cell."""
    lines = [line for line in text.splitlines() if line.startswith(f"| {first_cell} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_report_and_its_plots_are_written(tmp_path):
    write_results(hand_made(), tmp_path)
    path = write_report(tmp_path)
    plots = sorted(tmp_path.glob("*.png"))
    assert [plot.name for plot in plots] == ["cost.png", "latency.png", "stages.png"]
    assert all(plot.read_bytes().startswith(b"\x89PNG") for plot in plots)
    assert all(plot.stat().st_size < 100_000 for plot in plots)
    assert all(f"]({plot.name})" in path.read_text() for plot in plots)


def test_sections_without_figures_are_left_out(tmp_path):
    write_results(empty(), tmp_path)
    text = write_report(tmp_path).read_text()
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["## Machine and run", "## The bars"]
    assert not list(tmp_path.glob("*.png"))


def test_a_server_is_shown_with_its_figures():
    photic, _, tuned = (rows(report_text(hand_made(), []), name)[0] for name in LABELS)
    assert photic[1:4] == ["200 (196 to 204)", "10.0 (9.80 to 10.2)", "1.00"]
    assert photic[7:] == ["39 of 40", "0", "0.10 (0.10 to 0.10)"]
    assert tuned[3] == "1.25"


LABELS = ("Photic", "naive: FastAPI, Pillow", "tuned, Pillow")


def test_the_open_loop_shows_what_was_late_and_whether_it_counts():
    results = hand_made()
    results.open = [
        msgspec.structs.replace(
            results.open[0], errors={"503": 7}, valid=False, why_invalid="sent late"
        )
    ]
    (row,) = (row for row in rows(report_text(results, []), "Photic") if "50%" in row)
    assert row[9] == "7 x 503"
    assert row[-1] == "no: sent late"


def test_batch_sizes_are_shares_of_the_runs():
    text = report_text(hand_made(), [])
    (row,) = (
        row for row in rows(text, "Photic") if row[1:4] == ["labelled", "30.0", "50% of naive R"]
    )
    assert row[4:] == ["64.0", "100", "90.0 %", "10.0 %", "0.0 %"]


def test_memory_is_that_of_the_most_requests():
    found = rows(report_text(hand_made(), []), "Photic")
    assert ["Photic", "0.90", "270", "290", "10,000"] in found


def test_what_did_not_run_says_why():
    assert "needs Python 3.13" in report_text(hand_made(), [])


def test_microbenchmarks_come_from_their_own_file(tmp_path):
    path = tmp_path / "micro.json"
    assert read_micro(path) == []
    path.write_bytes(compact(MICRO))
    assert read_micro(path) == MICRO
    text = report_text(empty(), read_micro(path))
    assert rows(text, "`test_photic[fast]`") == [
        ["`test_photic[fast]`", "preprocess", "500 (400 to 600)", "5.00", "10"]
    ]
