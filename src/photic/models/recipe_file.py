"""``model.toml``: parsed strictly, then checked as a whole."""

import tomllib
from pathlib import Path
from typing import Any, Final

from photic.errors import ModelFileError
from photic.models.recipe import InputRecipe, ModelRecipe
from photic.strict_struct import build_struct, show_value

__all__ = ["load_recipe", "parse_recipe"]

TASKS: Final = ("classification", "embedding")
FUTURE_TASKS: Final = ("pose", "detection", "tensor")


def load_recipe(path: Path) -> ModelRecipe:
    """Read and check a ``model.toml``.

    Raises:
        ModelFileError: The file is missing, is not TOML, or says something that cannot work; one
            line with the file, the field, the value and what would be right.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{path}: not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot read the recipe: {error.strerror}") from None
    return parse_recipe(text, str(path))


def parse_recipe(text: str, source: str) -> ModelRecipe:
    """Parse and check the text of a ``model.toml``; ``source`` names it in messages.

    Raises:
        ModelFileError: As in load_recipe.
    """
    try:
        data = tomllib.loads(text)
        _check_task(data)
        recipe = build_struct(ModelRecipe, data)
        _check_labels(recipe)
        check_input(recipe.input)
    except tomllib.TOMLDecodeError as error:
        raise ModelFileError(f"{source}: not valid TOML: {error}") from None
    except ValueError as error:
        raise ModelFileError(f"{source}: {error}") from None
    return recipe


def check_input(recipe: InputRecipe) -> None:
    """Refuse an input section whose fields contradict each other.

    Raises:
        ValueError: One line: the field, the value, and what would be right.
    """
    for check in (_check_geometry, _check_pixel_range, _check_mean_and_std):
        try:
            check(recipe)
        except ValueError as error:
            raise ValueError(f"[input] {error}") from None


def _check_task(data: dict[str, Any]) -> None:
    task = data.get("task")
    if task in FUTURE_TASKS:
        supported = ", ".join(TASKS)
        raise ValueError(f'task = "{task}" is not supported yet; supported: {supported}')


def _check_labels(recipe: ModelRecipe) -> None:
    if recipe.task == "classification" and not recipe.labels:
        raise ValueError(
            'task = "classification" needs labels: a file beside model.toml, or "imagenet-1k"'
        )
    if recipe.task == "embedding" and recipe.labels:
        raise ValueError(
            f'labels = {show_value(recipe.labels)} has no use with task = "embedding"; remove it'
        )


def _check_geometry(recipe: InputRecipe) -> None:
    if recipe.pad != InputRecipe(size=(1, 1)).pad and recipe.fit != "letterbox":
        raise ValueError(f'pad = {recipe.pad} has no use with fit = "{recipe.fit}"; remove it')
    if recipe.fit != "crop":
        for name, value in (("resize", recipe.resize), ("crop_fraction", recipe.crop_fraction)):
            if value is not None:
                raise ValueError(
                    f'{name} = {value} has no use with fit = "{recipe.fit}"; remove it'
                )
        return
    if (recipe.resize is None) == (recipe.crop_fraction is None):
        given = "neither" if recipe.resize is None else "both"
        raise ValueError(
            'fit = "crop" needs either resize (short side, then centre crop) or crop_fraction '
            f"(crop that fraction, then resize); {given} is given"
        )
    if recipe.resize is not None and recipe.resize < max(recipe.size):
        raise ValueError(
            f"resize = {recipe.resize} is smaller than size = {list(recipe.size)}: the crop would "
            f"leave the image; use at least {max(recipe.size)}"
        )


def _check_pixel_range(recipe: InputRecipe) -> None:
    if recipe.pixel_range not in (1.0, 255.0):
        raise ValueError(
            f"pixel_range = {recipe.pixel_range:g} must be 1.0 (pixels span 0 to 1) or 255.0"
        )
    small = all(value <= 1.0 for value in (*recipe.mean, *recipe.std))
    if recipe.pixel_range > 1.0 and small and not recipe.keeps_levels:
        raise ValueError(
            f"pixel_range = 255.0 does not fit mean = {list(recipe.mean)} and std = "
            f"{list(recipe.std)}: they are in units of pixels that span 0 to 1, so the input would "
            "be about 255 times too large; use pixel_range = 1.0"
        )


def _check_mean_and_std(recipe: InputRecipe) -> None:
    if not all(value > 0.0 for value in recipe.std):
        raise ValueError(
            f"std = {list(recipe.std)} must be above 0, since pixels are divided by it"
        )
    for name, values in (("mean", recipe.mean), ("std", recipe.std)):
        if any(abs(value) > recipe.pixel_range for value in values):
            raise ValueError(
                f"{name} = {list(values)} is outside of pixel_range = {recipe.pixel_range:g}; "
                "for values in units of pixels that span 0 to 255 use pixel_range = 255.0"
            )
