"""A model that is ready to be loaded: its file, its recipe and its labels."""

import re
from pathlib import Path
from typing import Literal

from msgspec import Struct

from photic.errors import ModelFileError
from photic.models.labels import NAMED_LABELS, load_labels
from photic.models.presets import PRESETS, preset
from photic.models.recipe import ModelRecipe
from photic.models.recipe_file import check_input, load_recipe
from photic.strict_struct import did_you_mean

__all__ = ["ModelBundle", "bare_bundle", "read_labels"]


class ModelBundle(Struct, frozen=True, kw_only=True):
    """One version of one model, read from disk but not loaded.

    Attributes:
        name: The model's name: its folder, or the stem of a bare file, made safe for URLs.
        version: Its version; 1 for a bare file.
        variant: ``fp32`` for ``model.onnx``, ``int8`` for ``model.int8.onnx``.
        path: The ONNX file.
        recipe: How pixels become its input, and its output an answer.
        labels: One for each class; () when the task has none.
    """

    name: str
    version: int
    variant: str
    path: Path
    recipe: ModelRecipe
    labels: tuple[str, ...]


def read_labels(recipe: ModelRecipe, folder: Path) -> tuple[str, ...]:
    """The labels that a recipe names, by list or relative to ``folder``; () when it names none.

    Raises:
        ModelFileError: The labels cannot be read.
    """
    if not recipe.labels:
        return ()
    named = recipe.labels in NAMED_LABELS
    return load_labels(recipe.labels if named else folder / recipe.labels)


def bare_bundle(
    path: Path,
    *,
    recipe: str,
    labels: str | None,
    size: tuple[int, int] | None,
    layout: Literal["NCHW", "NHWC"],
) -> ModelBundle:
    """A single ONNX file, without a repository, as a model.

    Args:
        path: The ONNX file.
        recipe: A preset's name, or the path of a ``model.toml``.
        labels: A named list or a file; None takes those of the ``model.toml``.
        size: (height, width) of the model's input, or None when it leaves them open.
        layout: Layout of the model's input.

    Raises:
        ModelFileError: A file is missing or broken, or the parts do not fit.
    """
    if not path.is_file():
        raise ModelFileError(f"{path}: there is no such model file")
    if recipe in PRESETS:
        model, folder = _preset_recipe(path, recipe, labels, size, layout), path.parent
    else:
        model, folder = _recipe_of_file(recipe, labels), Path(recipe).parent
    return ModelBundle(
        name=_safe_name(path.stem),
        version=1,
        variant="fp32",
        path=path,
        recipe=model,
        labels=load_labels(labels) if labels is not None else read_labels(model, folder),
    )


def _safe_name(stem: str) -> str:
    """``My model (2)`` to ``My-model-2``: names stand in URLs."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._") or "model"


def _preset_recipe(
    path: Path,
    name: str,
    labels: str | None,
    size: tuple[int, int] | None,
    layout: Literal["NCHW", "NHWC"],
) -> ModelRecipe:
    if size is None:
        raise ModelFileError(
            f"{path}: the model's input leaves its height and width open, so the preset `{name}` "
            "cannot tell them: write a model.toml with [input] size and give it as --recipe"
        )
    if labels is None:
        raise ModelFileError(
            f"{path}: the preset `{name}` makes a classifier, which needs labels: give --labels "
            'imagenet-1k or a file (for embeddings: a model.toml with task = "embedding")'
        )
    made = preset(name, size=size, layout=layout)
    try:
        check_input(made)
    except ValueError as error:
        raise ModelFileError(f"{path}: the preset `{name}` does not fit: {error}") from None
    return ModelRecipe(labels=labels, input=made)


def _recipe_of_file(recipe: str, labels: str | None) -> ModelRecipe:
    if not Path(recipe).is_file():
        raise ModelFileError(
            f"--recipe {recipe}: neither a file nor a preset; {did_you_mean(recipe, PRESETS)}"
        )
    model = load_recipe(Path(recipe))
    if labels is not None and model.task == "embedding":
        raise ModelFileError(f'--labels {labels} has no use: {recipe} says task = "embedding"')
    return model
