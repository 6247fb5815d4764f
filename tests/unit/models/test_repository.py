import shutil
from pathlib import Path

import pytest

from photic.errors import ModelFileError
from photic.models.repository import ModelRepository, embedded_repository

RECIPE = 'labels = "labels.txt"\n[input]\nsize = [8, 8]\nresize = 8\n'


def add_model(root: Path, name: str, *versions: str, recipe: str | None = RECIPE) -> Path:
    folder = root / name
    for version in versions:
        (folder / version).mkdir(parents=True)
        (folder / version / "model.onnx").write_bytes(b"onnx")
    if recipe is not None:
        (folder / "model.toml").write_text(recipe)
        (folder / "labels.txt").write_text("cat\ndog\n")
    return folder


def test_the_embedded_model() -> None:
    repository = embedded_repository()
    assert repository.names() == ("efficientnet-lite0",)
    bundle = repository.bundle("efficientnet-lite0")
    assert (bundle.version, bundle.variant, len(bundle.labels)) == (1, "fp32", 1000)
    assert bundle.path.stat().st_size > 18_000_000


def test_the_highest_version_is_the_default(tmp_path: Path) -> None:
    add_model(tmp_path, "pets", "9", "10", "1")
    repository = ModelRepository.open(tmp_path)
    assert repository.versions("pets") == (1, 9, 10)
    assert repository.bundle("pets").path == tmp_path / "pets" / "10" / "model.onnx"
    assert repository.bundle("pets", 9).version == 9
    assert repository.bundle("pets").labels == ("cat", "dog")


def test_ignores_what_is_not_a_model(tmp_path: Path) -> None:
    folder = add_model(tmp_path, "pets", "1")
    for other in (".git", "lost+found", "__pycache__"):
        (tmp_path / other).mkdir()
    (tmp_path / "README.md").write_text("x")
    for other in ("0", "01", "v2", "-1", "assets"):
        (folder / other).mkdir()
    repository = ModelRepository.open(tmp_path)
    assert repository.names() == ("pets",)
    assert repository.versions("pets") == (1,)


def test_a_model_without_a_recipe_is_listed_but_not_served(tmp_path: Path) -> None:
    add_model(tmp_path, "bare", "1", recipe=None)
    repository = ModelRepository.open(tmp_path)
    assert repository.names() == ("bare",)
    assert not repository.has_recipe("bare")
    with pytest.raises(ModelFileError, match=r"there is no model\.toml; a recipe is needed"):
        repository.bundle("bare")


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="no such model repository folder"):
        ModelRepository.open(tmp_path / "none")


def test_an_empty_repository(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"holds no models; expected <model>/model\.toml"):
        ModelRepository.open(tmp_path)


def test_a_models_own_folder_is_not_a_repository(tmp_path: Path) -> None:
    folder = add_model(tmp_path, "pets", "1")
    with pytest.raises(ModelFileError, match="the repository is its parent") as caught:
        ModelRepository.open(folder)
    assert str(caught.value).endswith(str(tmp_path))


@pytest.mark.parametrize(
    "name", ["my model", "a/../b".replace("/", "%"), "ünicode", "-x", "x" * 129]
)
def test_names_are_safe_in_urls_and_paths(tmp_path: Path, name: str) -> None:
    add_model(tmp_path, name, "1")
    with pytest.raises(ModelFileError, match="rename the folder"):
        ModelRepository.open(tmp_path)


def test_a_model_without_versions(tmp_path: Path) -> None:
    add_model(tmp_path, "pets", "1")
    shutil.rmtree(tmp_path / "pets" / "1")
    with pytest.raises(ModelFileError, match="there is no version folder in it"):
        ModelRepository.open(tmp_path)


def test_a_version_without_a_model(tmp_path: Path) -> None:
    folder = add_model(tmp_path, "pets", "1", "2")
    (folder / "2" / "model.onnx").unlink()
    repository = ModelRepository.open(tmp_path)
    with pytest.raises(ModelFileError, match=r"pets/2: there is no model\.onnx in it"):
        repository.bundle("pets")
    assert repository.bundle("pets", 1).version == 1


def test_unknown_names_and_versions(tmp_path: Path) -> None:
    add_model(tmp_path, "pets", "1", "2")
    repository = ModelRepository.open(tmp_path)
    with pytest.raises(ModelFileError, match="no model `pet`; did you mean `pets`"):
        repository.bundle("pet")
    with pytest.raises(ModelFileError, match="no version 3; known: 1, 2"):
        repository.bundle("pets", 3)


def test_missing_labels(tmp_path: Path) -> None:
    folder = add_model(tmp_path, "pets", "1")
    (folder / "labels.txt").unlink()
    with pytest.raises(ModelFileError, match=r"pets/labels\.txt: there is no such label file"):
        ModelRepository.open(tmp_path).bundle("pets")


def test_a_recipe_may_name_a_known_label_list(tmp_path: Path) -> None:
    add_model(tmp_path, "pets", "1", recipe=RECIPE.replace("labels.txt", "imagenet-1k"))
    assert len(ModelRepository.open(tmp_path).bundle("pets").labels) == 1000
