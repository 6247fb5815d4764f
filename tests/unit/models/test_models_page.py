"""What docs/models.md says of recipes is what the code does."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from photic.models.presets import PRESETS, preset
from photic.models.recipe import InputRecipe, ModelRecipe, OutputRecipe
from photic.models.recipe_file import load_recipe, parse_recipe
from photic.models.repository import embedded_repository

PAGE = (
    (Path(__file__).parents[3] / "docs" / "models.md")
    .read_text("utf-8")
    .replace("\N{MINUS SIGN}", "-")
)
RECIPES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SIDE = 224


def table_after(heading: str) -> list[list[str]]:
    """The cells of the first table after some words."""
    table = re.search(r"(?:^\|.*\n)+", PAGE[PAGE.index(heading) :], re.MULTILINE)
    assert table is not None
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table[0].splitlines()]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def test_the_first_recipe_is_the_embedded_models() -> None:
    path = embedded_repository().bundle("efficientnet-lite0").path.parents[1] / "model.toml"
    assert parse_recipe(RECIPES[0], "docs/models.md") == load_recipe(path)


@pytest.mark.parametrize("recipe", RECIPES[1:])
def test_the_other_recipes_work(recipe: str) -> None:
    parse_recipe(recipe, "docs/models.md")


@pytest.mark.parametrize(
    ("heading", "struct"),
    [
        ("Top level:", ModelRecipe),
        ("`[input]`, from", InputRecipe),
        ("`[output]`, from", OutputRecipe),
    ],
)
def test_the_defaults_are_the_codes(heading: str, struct: type[msgspec.Struct]) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    for name, default, _ in table_after(heading):
        field = fields[name.strip("`")]
        if default == "needed":
            assert field.required
        elif default:
            value = tomllib.loads(f"x = {default.strip('`')}")["x"]
            assert msgspec.convert(value, field.type) == field.default
        else:
            assert field.default in (None, "")


def test_every_field_of_the_input_is_listed() -> None:
    listed = [row[0].strip("`") for row in table_after("`[input]`, from")]
    assert listed == [field.name for field in msgspec.structs.fields(InputRecipe)]


PRESET_ROWS = {row[0].strip("`"): row[1:3] for row in table_after("## Presets")}


def test_every_preset_is_listed() -> None:
    assert list(PRESET_ROWS) == list(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_the_geometry_of_a_preset(name: str) -> None:
    geometry, _ = PRESET_ROWS[name]
    recipe = preset(name, size=(SIDE, SIDE), layout="NCHW")
    if recipe.fit == "stretch":
        view = "stretch"
    elif recipe.crop_fraction is not None:
        view = f"crop {recipe.crop_fraction:.1%}".replace("%", " %")
    elif recipe.resize == SIDE:
        view = "short side = size, crop"
    else:
        view = f"short side {recipe.resize}, crop {SIDE}"
    bgr = ", BGR" if recipe.channels == "BGR" else ""
    assert geometry == f"{view}, {recipe.filter}{bgr}"


@pytest.mark.parametrize("name", ["inception", "vit", "raw", "raw-255"])
def test_the_range_of_a_preset(name: str) -> None:
    recipe = preset(name, size=(SIDE, SIDE), layout="NCHW")
    ends = [(level - recipe.mean[0]) / recipe.std[0] for level in (0.0, recipe.pixel_range)]
    assert PRESET_ROWS[name][1] == f"{ends[0]:g} to {ends[1]:g}"
