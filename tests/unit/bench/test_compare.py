"""`python -m bench.compare`: which figures two files share, what is noise, the exit status."""

import msgspec
import pytest
from click.testing import CliRunner

from bench.compare import main
from bench.guard.baseline import Counts, write
from bench.guard.counting import Count, Toolchain
from bench.harness.results import ClosedLoopRun, Results, write_results
from bench.report.micro_table import Micro, MicroStats, compact
from bench_results import hand_made


def compare(tmp_path, before, after, *options):
    """Exit status, and the line of each figure by its name."""
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, content in zip(paths, (before, after), strict=True):
        if isinstance(content, Results):
            write_results(content, tmp_path).rename(path)
        else:
            path.write_bytes(content)
    run = CliRunner().invoke(main, [*map(str, paths), *options])
    return run.exit_code, run.output


def line_of(output, *words):
    (found,) = (line for line in output.splitlines() if all(word in line for word in words))
    return found.split()


def slower(results: Results, factor: float) -> Results:
    """Photic's CPU time times a factor; its rivals as they were."""

    def changed(run: ClosedLoopRun) -> ClosedLoopRun:
        cost = int(run.cpu_ns_per_good * (factor if run.server == "photic" else 1))
        return msgspec.structs.replace(run, cpu_ns_per_good=cost)

    return msgspec.structs.replace(results, closed=[changed(run) for run in results.closed])


def micro(median, *, q1=None, q3=None):
    stats = MicroStats(median, q1 or median * 0.98, q3 or median * 1.02, 10)
    return compact([Micro("test_photic[fast]", "preprocess", stats)])


def test_a_run_beside_itself_has_not_changed(tmp_path):
    status, output = compare(tmp_path, hand_made(), hand_made(), "--fail-above", "0")
    assert status == 0
    assert "worse" not in output
    assert "better" not in output


def test_a_ratio_shows_what_the_noise_of_absolute_times_would_hide(tmp_path):
    """One per cent, where the rounds are ten apart but the ratios within them equal."""
    _, output = compare(tmp_path, hand_made(), slower(hand_made(), 1.01))
    ratio = line_of(output, "CPU-ms an answer, 8 clients, labelled / tuned Pillow")
    assert ratio[-4:] == ["0.80", "0.81", "+1.0%", "worse"]
    assert line_of(output, "photic, labelled, 8 clients: cpu_ms")[-1] == "+1.0%"


def test_ratios_come_first(tmp_path):
    _, output = compare(tmp_path, hand_made(), hand_made())
    names = output.splitlines()[1:]
    assert "/ tuned Pillow" in names[0]
    assert "8 clients: p99_ms" in output
    assert "open loop at 70% of naive R: goodput" in output


@pytest.mark.parametrize(("limit", "status"), [("15", 1), ("25", 0)])
def test_the_exit_status_follows_the_limit(tmp_path, limit, status):
    found, _ = compare(tmp_path, hand_made(), slower(hand_made(), 1.2), "--fail-above", limit)
    assert found == status


def test_what_got_better_does_not_fail(tmp_path):
    after = slower(hand_made(), 0.8)
    status, output = compare(tmp_path, hand_made(), after, "--fail-above", "1")
    assert status == 0
    assert line_of(output, "labelled / tuned Pillow", "CPU-ms")[-1] == "better"


def test_fewer_requests_per_second_are_worse(tmp_path):
    before = hand_made()
    half = [
        msgspec.structs.replace(run, requests_per_s=run.requests_per_s / 2) for run in before.closed
    ]
    after = msgspec.structs.replace(before, closed=half)
    _, output = compare(tmp_path, before, after)
    assert line_of(output, "photic, labelled, 8 clients: per_s")[-2:] == ["-50.0%", "worse"]


def test_other_photos_are_told(tmp_path):
    def with_photos(digest: str) -> Results:
        settings = msgspec.structs.replace(hand_made().settings, digests={"labelled": digest})
        return msgspec.structs.replace(hand_made(), settings=settings)

    assert "note" not in compare(tmp_path, with_photos("a"), with_photos("a"))[1]
    _, output = compare(tmp_path, with_photos("a"), with_photos("b"))
    assert output.startswith("note: labelled is of other photos in ")


def test_microbenchmarks(tmp_path):
    status, output = compare(tmp_path, micro(0.100), micro(0.120), "--fail-above", "10")
    assert status == 1
    assert line_of(output, "test_photic[fast]")[-4:] == ["100", "120", "+20.0%", "worse"]


def test_a_change_within_the_spread_is_noise(tmp_path):
    after = micro(0.120, q1=0.090, q3=0.150)
    status, output = compare(tmp_path, micro(0.100), after, "--fail-above", "10")
    assert status == 0
    assert line_of(output, "test_photic[fast]")[-1] == "+20.0%"


def test_instruction_counts_are_exact(tmp_path):
    tools = Toolchain("x86_64", "GCC: 12", "libjpeg abc", "avx2")
    texts = []
    for count in (1_000_000, 1_010_000):
        write([Counts(tools, {"rocket": Count("d", count, 200_000, {})})], tmp_path / "counts")
        texts.append((tmp_path / "counts").read_bytes())
    status, output = compare(tmp_path, *texts, "--fail-above", "0.5")
    assert status == 1
    assert line_of(output, "instructions, rocket")[-2:] == ["+1.0%", "worse"]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b"{}", b"{}", "neither results.json"),
        (b"no JSON", b"{}", "malformed"),
        (micro(1), compact([]), "no figure in common"),
    ],
)
def test_files_that_cannot_be_compared(tmp_path, before, after, words):
    status, output = compare(tmp_path, before, after)
    assert status == 1
    assert words in output
    assert "Traceback" not in output
