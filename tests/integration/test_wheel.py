"""The wheel of a plain ``pip wheel .``: complete, and at home in an environment of its own."""

import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(900)  # a build on a busy machine

MAPPED = """
from photic.preprocess import native_info
native_info()
print(*{line.split()[-1] for line in open("/proc/self/maps") if "/libjpeg.so" in line})
"""
"""Prints the libjpeg that the extension is linked with (Pillow's own goes by another name)."""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(repository, tmp_path_factory) -> Path:
    """Built apart from the editable install, with the build tools of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    run(*pip, "-C", f"build-dir={folder / 'build'}", "-w", folder, repository, cwd=folder)
    (built,) = folder.glob("photic-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """An interpreter that has the wheel, and for its dependencies looks into this environment.

    A .pth file only adds the folder: the editable install in it is not activated.
    """
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index"]
    run(*pip, wheel, cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_it_carries_everything(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for ending in (
        "licenses/LICENSE",
        "licenses/NOTICE",
        "photic/py.typed",
        "photic/preprocess/_native.pyi",
        "photic/models/embedded/efficientnet-lite0/model.toml",
        "photic/models/embedded/efficientnet-lite0/labels.txt",
        "photic/models/embedded/efficientnet-lite0/1/model.onnx",
    ):
        assert [name for name in names if name.endswith(ending)], ending
    objects = [name.rpartition("/")[2] for name in names if ".so" in name]
    assert [name for name in objects if name.startswith("_native.")]
    assert [name for name in objects if name.startswith("libjpeg")]


def test_it_carries_nothing_else(wheel):
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert all(top == "photic" or top.endswith(".dist-info") for top in tops)


def test_it_predicts_in_an_empty_environment(python, chelsea_jpeg, tmp_path):
    photo = tmp_path / "chelsea.jpg"
    photo.write_bytes(chelsea_jpeg)
    lines = run(python.parent / "photic", "predict", "--json", photo, cwd=tmp_path).splitlines()
    assert json.loads(lines[0])["predictions"][0]["label"] == "tiger cat"


def test_it_is_the_wheel_that_runs(python, tmp_path):
    where = run(python, "-c", "import photic; print(photic.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(python.parents[1])


def test_libjpeg_is_loaded_from_inside_site_packages(python, tmp_path):
    loaded = run(python, "-c", MAPPED, cwd=tmp_path).split()
    assert len(loaded) == 1
    assert Path(loaded[0]).is_relative_to(python.parents[1] / "lib")
