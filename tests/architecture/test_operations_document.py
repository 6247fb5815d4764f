"""docs/operations.md against the code: the table of CPU plans, and the names of threads."""

from pathlib import Path

import plan_table

TEXT = (Path(__file__).parents[2] / "docs/operations.md").read_text()


def test_the_cpu_plans_in_it_are_the_codes() -> None:
    assert plan_table.table() in TEXT


def test_it_shows_how_to_make_the_table() -> None:
    assert f"python {Path(plan_table.__file__).relative_to(Path(__file__).parents[2])}" in TEXT
