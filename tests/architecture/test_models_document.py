"""docs/models.md against the code: its recipes parse, and its tables are complete."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from photic.models.presets import PRESETS
from photic.models.recipe import InputRecipe, ModelRecipe, OutputRecipe
from photic.models.recipe_file import load_recipe, parse_recipe

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/models.md").read_text()
RECIPES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the table below a line."""
    rows = TEXT.partition(heading)[2].partition("|---")[2].partition("\n\n")[0].splitlines()[1:]
    return [row.split("|")[1].strip(" `") for row in rows]


def test_every_recipe_in_it_is_accepted() -> None:
    assert len(RECIPES) == 3
    for recipe in RECIPES:
        parse_recipe(recipe, "docs/models.md")


def test_the_first_recipe_is_the_embedded_models() -> None:
    embedded = load_recipe(ROOT / "src/photic/models/embedded/efficientnet-lite0/model.toml")
    shown = parse_recipe(RECIPES[0], "docs/models.md")
    assert (shown.input, shown.output, shown.task) == (
        embedded.input,
        embedded.output,
        embedded.task,
    )


def test_every_preset_is_in_its_table() -> None:
    assert first_cells("## Presets") == list(PRESETS)


@pytest.mark.parametrize(
    ("heading", "section", "elsewhere"),
    [
        ("Top level:", ModelRecipe, {"input", "output", "gate", "provenance"}),
        ("`[input]`, from", InputRecipe, set()),
        ("`[output]`, from", OutputRecipe, set()),
    ],
)
def test_every_field_is_in_its_table(
    heading: str, section: type[msgspec.Struct], elsewhere: set[str]
) -> None:
    assert set(first_cells(heading)) == set(section.__struct_fields__) - elsewhere


def test_the_defaults_in_it_are_the_codes() -> None:
    rows = TEXT.partition("`[input]`, from")[2].partition("\n\nA channel")[0].splitlines()
    shown = {row.split("|")[1].strip(" `"): row.split("|")[2].strip(" `") for row in rows[4:]}
    actual = msgspec.to_builtins(InputRecipe(size=(1, 1)))
    for name, text in shown.items():
        if text not in ("", "needed"):
            assert tomllib.loads(f"value = {text}")["value"] == list_of(actual[name]), name
    assert len(shown) == len(actual)


def list_of(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
