"""The model repository on disk, in Triton's layout.

::

    <repository>/<model>/model.toml
    <repository>/<model>/labels.txt
    <repository>/<model>/<integer version>/model.onnx
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from photic.errors import ModelFileError
from photic.models.bundle import ModelBundle, read_labels
from photic.models.recipe_file import load_recipe
from photic.strict_struct import did_you_mean

__all__ = ["ModelRepository", "embedded_repository"]

MODEL_FILE: Final = "model.onnx"
RECIPE_FILE: Final = "model.toml"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_VERSION: Final = re.compile(r"[1-9][0-9]{0,17}")
_IGNORED: Final = frozenset({"lost+found"})  # every ext4 volume has it


class ModelRepository:
    """The models of one folder. The folder is scanned once; contents are read by ``bundle``.

    Files in the repository's root, hidden folders, and folders in a model whose name is not a
    positive integer are ignored, as Triton does.
    """

    def __init__(self, root: Path, versions: Mapping[str, tuple[int, ...]]) -> None:
        self.root = root
        self._versions = dict(versions)

    @classmethod
    def open(cls, root: Path) -> "ModelRepository":
        """Scan a repository.

        Raises:
            ModelFileError: The folder is missing, holds no models, or one of them is misnamed or
                has no version; one line.
        """
        if not root.is_dir():
            raise ModelFileError(f"{root}: there is no such model repository folder")
        _refuse_model_folder(root)
        folders = [folder for folder in _subfolders(root) if folder.name not in _IGNORED]
        if not folders:
            raise ModelFileError(f"{root}: the repository holds no models; {_LAYOUT}")
        return cls(root, {_checked_name(folder): _scan_versions(folder) for folder in folders})

    def names(self) -> tuple[str, ...]:
        """The models, in alphabetical order, those without a ``model.toml`` included."""
        return tuple(self._versions)

    def versions(self, name: str) -> tuple[int, ...]:
        """The versions of a model, lowest first.

        Raises:
            ModelFileError: There is no such model.
        """
        if name not in self._versions:
            raise ModelFileError(
                f"{self.root}: there is no model `{name}`; {did_you_mean(name, self._versions)}"
            )
        return self._versions[name]

    def has_recipe(self, name: str) -> bool:
        """Whether the model has a ``model.toml``; one without can be listed, not served."""
        return (self.root / name / RECIPE_FILE).is_file()

    def model_path(self, name: str, version: int) -> Path:
        """Where a version's ONNX file is, or should be."""
        return self.root / name / str(version) / MODEL_FILE

    def bundle(self, name: str, version: int | None = None) -> ModelBundle:
        """Read one version of a model; the highest when none is given.

        Raises:
            ModelFileError: There is no such model or version, or a file is missing or broken.
        """
        versions = self.versions(name)
        wanted = versions[-1] if version is None else version
        folder = self.root / name
        if wanted not in versions:
            known = ", ".join(map(str, versions))
            raise ModelFileError(f"{folder}: there is no version {wanted}; known: {known}")
        path = self.model_path(name, wanted)
        if not path.is_file():
            raise ModelFileError(f"{path.parent}: there is no {MODEL_FILE} in it")
        if not self.has_recipe(name):
            raise ModelFileError(
                f"{folder}: there is no {RECIPE_FILE}; a recipe is needed to serve the model "
                "(docs/models.md shows one)"
            )
        recipe = load_recipe(folder / RECIPE_FILE)
        return ModelBundle(
            name=name,
            version=wanted,
            variant="fp32",
            path=path,
            recipe=recipe,
            labels=read_labels(recipe, folder),
        )


def embedded_repository() -> ModelRepository:
    """The repository inside the package, with EfficientNet-Lite0."""
    return ModelRepository.open(Path(__file__).parent / "embedded")


_LAYOUT: Final = f"expected <model>/{RECIPE_FILE} and <model>/1/{MODEL_FILE}"


def _subfolders(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
        return [e for e in entries if e.is_dir() and not e.name.startswith((".", "__"))]
    except OSError as error:
        raise ModelFileError(f"{folder}: cannot read the folder: {error.strerror}") from None


def _refuse_model_folder(root: Path) -> None:
    """Catch the common slip of pointing at a model instead of at the folder that holds models."""
    versioned = any(_VERSION.fullmatch(folder.name) for folder in _subfolders(root))
    if versioned or (root / RECIPE_FILE).is_file():
        raise ModelFileError(
            f"{root}: this is a model's folder; the repository is its parent, "
            f"{root.resolve().parent}"
        )


def _checked_name(folder: Path) -> str:
    if not _NAME.fullmatch(folder.name):
        raise ModelFileError(
            f"{folder}: a model's name starts with a letter or digit and may hold letters, digits, "
            "'.', '_' and '-'; rename the folder"
        )
    return folder.name


def _scan_versions(folder: Path) -> tuple[int, ...]:
    names = [child.name for child in _subfolders(folder)]
    versions = tuple(sorted(int(name) for name in names if _VERSION.fullmatch(name)))
    if not versions:
        raise ModelFileError(
            f"{folder}: there is no version folder in it; {_LAYOUT} under the repository"
        )
    return versions
