"""``photic serve`` before it serves: what an operator sees on the two streams."""

from pathlib import Path

import pytest

from photic.models.repository import embedded_repository
from photic_command import error_line, run_photic

EMBEDDED = embedded_repository().bundle("efficientnet-lite0")


@pytest.fixture
def repository_folder(tmp_path: Path) -> Path:
    """A good model, and one after it whose file is cut off."""
    recipe = (EMBEDDED.path.parents[1] / "model.toml").read_text()
    data = EMBEDDED.path.read_bytes()
    for name, part in (("a-good", data), ("b-broken", data[:100_000])):
        (tmp_path / name / "1").mkdir(parents=True)
        (tmp_path / name / "1" / "model.onnx").write_bytes(part)
        (tmp_path / name / "model.toml").write_text(recipe.replace("labels.txt", "imagenet-1k"))
    return tmp_path


def test_an_error_while_loading_is_the_only_line(repository_folder: Path) -> None:
    """Finding 16e: INFO lines of the CPU plan and of the models before it stood above it."""
    options = ("--port", "0", "--model-repository", ".")
    done = run_photic("serve", *options, cwd=repository_folder)
    line = error_line(done)
    assert "b-broken" in line
    assert "cannot load the model" in line
    assert done.returncode == 2
