from pathlib import Path

import pytest

from photic.errors import ModelFileError
from photic.models.bundle import ModelBundle, bare_bundle


@pytest.fixture
def onnx(tmp_path: Path) -> Path:
    path = tmp_path / "my.onnx"
    path.write_bytes(b"onnx")
    return path


def bundle(
    path: Path,
    recipe: str = "imagenet",
    labels: str | None = "imagenet-1k",
    size: tuple[int, int] | None = (224, 224),
) -> ModelBundle:
    return bare_bundle(path, recipe=recipe, labels=labels, size=size, layout="NCHW")


def test_a_preset_and_labels_make_a_classifier(onnx: Path) -> None:
    made = bundle(onnx)
    assert (made.name, made.version, made.variant, made.path) == ("my", 1, "fp32", onnx)
    assert made.recipe.task == "classification"
    assert made.recipe.input.resize == 256
    assert len(made.labels) == 1000


def write_recipe(folder: Path, head: str) -> str:
    path = folder / "my.toml"
    path.write_text(f"{head}\n[input]\nsize = [8, 8]\nresize = 8\n")
    return str(path)


def test_a_recipe_file_brings_its_labels(onnx: Path, tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text("a\nb\n")
    recipe = write_recipe(tmp_path, 'labels = "l.txt"')
    assert bundle(onnx, recipe, labels=None, size=None).labels == ("a", "b")


def test_given_labels_replace_those_of_the_file(onnx: Path, tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, 'labels = "missing.txt"')
    assert len(bundle(onnx, recipe, size=None).labels) == 1000


def test_an_embedding_has_no_labels(onnx: Path, tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, 'task = "embedding"')
    assert bundle(onnx, recipe, labels=None, size=None).labels == ()
    with pytest.raises(ModelFileError, match="--labels imagenet-1k has no use"):
        bundle(onnx, recipe)


def test_what_is_missing_is_named(onnx: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"none\.onnx: there is no such model file"):
        bundle(tmp_path / "none.onnx")
    with pytest.raises(ModelFileError, match="needs labels: give --labels imagenet-1k or a file"):
        bundle(onnx, labels=None)
    with pytest.raises(ModelFileError, match=r"write a model\.toml with \[input\] size"):
        bundle(onnx, size=None)
    with pytest.raises(ModelFileError, match="neither a file nor a preset; did you mean `clip`"):
        bundle(onnx, recipe="clipp")
    with pytest.raises(ModelFileError, match="there is no such label file"):
        bundle(onnx, labels=str(tmp_path / "none.txt"))


@pytest.mark.parametrize(
    ("stem", "name"),
    [("resnet-50.v2", "resnet-50.v2"), ("My model (2)", "My-model-2"), ("模型", "model")],
)
def test_names_are_safe_in_urls(tmp_path: Path, stem: str, name: str) -> None:
    path = tmp_path / f"{stem}.onnx"
    path.write_bytes(b"onnx")
    assert bundle(path).name == name
