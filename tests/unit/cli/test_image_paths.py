import errno
import os
from pathlib import Path

import pytest

from photic.cli.image_paths import expand


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (
        "b.JPG",
        "a.jpeg",
        "c.gif",
        "d.txt",
        ".e.jpg",
        "sub/f.png",
        ".git/g.jpg",
        "[h].jpg",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")


def names(*arguments: str, formats: tuple[str, ...] = ("png",)) -> list[str]:
    return [source.name for source in expand(arguments, formats)]


def test_a_folder_gives_its_images_and_those_below_sorted() -> None:
    assert names(".") == ["[h].jpg", "a.jpeg", "b.JPG", "sub/f.png"]


def test_a_folder_follows_the_enabled_formats() -> None:
    assert names(".", formats=("gif",)) == ["[h].jpg", "a.jpeg", "b.JPG", "c.gif"]


def test_a_file_is_taken_whatever_its_name_even_when_it_is_not_there() -> None:
    assert names("d.txt", ".e.jpg", "none.jpg") == ["d.txt", ".e.jpg", "none.jpg"]


def test_a_name_with_brackets_is_a_file_before_it_is_a_pattern() -> None:
    assert names("[h].jpg") == ["[h].jpg"]


def test_patterns_give_files_only() -> None:
    assert names("*") == ["[h].jpg", "a.jpeg", "b.JPG", "c.gif", "d.txt"]
    assert names("**/*.png") == ["sub/f.png"]


@pytest.mark.parametrize("argument", ["*.webp", "su?"])
def test_a_pattern_without_files_is_an_error(argument: str) -> None:
    [source] = expand([argument], ())
    assert source.error is not None
    assert source.error.code == "no_input"


def test_a_folder_without_images_is_an_error(tmp_path: Path) -> None:
    [source] = expand([str(tmp_path / "sub")], ())
    assert source.error is not None
    assert "holds no images (.jfif, .jpe, .jpeg, .jpg, .mpo)" in source.error.detail


def test_standard_input() -> None:
    [source] = expand(["-"], ())
    assert (source.name, source.path, source.error) == ("-", None, None)


def test_a_name_that_is_too_long_is_left_to_the_reader() -> None:
    assert names("a" * 5000) == ["a" * 5000]


def test_a_folder_that_cannot_be_listed_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    *_, last = expand([str(tmp_path)], ())
    assert (last.name, last.path) == (str(tmp_path / "sub"), None)
    assert last.error is not None
    assert (last.error.code, last.error.detail) == ("unreadable_file", "Permission denied")
