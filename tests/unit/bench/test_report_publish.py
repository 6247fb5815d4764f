"""The published figures: one results.json, and everything that is made from it."""

import pytest

from bench.harness.results import read_results, write_results
from bench.report.document import report_text
from bench.report.micro_table import read_micro
from bench.report.publish import BEGIN, END, PUBLISHED, publish, readme_with
from bench_results import hand_made

README = f"# Photic\n\nbefore\n\n{BEGIN}\nold\n{END}\n\nafter\n"


def assert_in_step(root):
    """The README's part and the report are what the published results give."""
    published = root / PUBLISHED
    results = read_results(published / "results.json")
    text = (root / "README.md").read_text()
    assert readme_with(text, results) == text
    micro = read_micro(published / "micro.json")
    assert (published / "report.md").read_text() == report_text(results, micro)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "README.md").write_text(README)
    write_results(hand_made(), tmp_path / "run")
    return tmp_path


def test_publishing_copies_the_run_and_writes_the_readme(root):
    target = publish(root / "run", root)
    assert target == root / PUBLISHED
    assert {path.name for path in target.iterdir()} == {
        "results.json",
        "report.md",
        "cost.png",
        "latency.png",
        "stages.png",
    }
    assert read_results(target / "results.json") == read_results(root / "run/results.json")
    assert_in_step(root)
    text = (root / "README.md").read_text()
    assert "| **Photic** | 10.0 | 16.0 | 80.0 | 200 | 125 | 25.0 |" in text
    assert "Photos of about 0.2 (labelled), 1.1 (cc0), 13 (camera) megapixels." in text
    assert "docs/benchmarks/latency.png" in text
    assert "old" not in text
    assert (text.startswith("# Photic\n\nbefore"), text.endswith("after\n")) == (True, True)


def test_publishing_again_changes_nothing(root):
    publish(root / "run", root)
    first = (root / "README.md").read_text()
    publish(root / "run", root)
    assert (root / "README.md").read_text() == first


def test_a_readme_without_markers_is_refused_before_anything_is_written(root):
    (root / "README.md").write_text("# Photic\n")
    with pytest.raises(ValueError, match="lacks"):
        publish(root / "run", root)
    assert not (root / PUBLISHED).exists()


def test_a_table_that_was_edited_is_noticed(root):
    publish(root / "run", root)
    readme = root / "README.md"
    readme.write_text(readme.read_text().replace("| 10.0 |", "| 9.0 |"))
    with pytest.raises(AssertionError):
        assert_in_step(root)


def test_the_published_run_is_in_step(repository):
    assert_in_step(repository)
