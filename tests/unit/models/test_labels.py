from pathlib import Path

import pytest

from photic.errors import ModelFileError
from photic.models.labels import load_labels


def write(folder: Path, data: bytes) -> Path:
    path = folder / "labels.txt"
    path.write_bytes(data)
    return path


def test_the_named_list_is_imagenets() -> None:
    labels = load_labels("imagenet-1k")
    assert len(labels) == 1000
    assert labels[0].startswith("tench")
    assert labels[282].startswith("tiger cat")
    assert labels[999].startswith("toilet tissue")


@pytest.mark.parametrize("data", [b"a\nb\n", b"a\nb", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n"])
def test_line_ends_and_byte_order_marks_do_not_matter(tmp_path: Path, data: bytes) -> None:
    assert load_labels(write(tmp_path, data)) == ("a", "b")


def test_only_line_feeds_end_lines(tmp_path: Path) -> None:
    text = "a\u2028b\nK\u00e4fer\n"
    assert load_labels(write(tmp_path, text.encode())) == ("a\u2028b", "K\u00e4fer")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the label file is empty"),
        (b"a\n\nb\n", "line 2 is blank"),
        (b"a\nb\n\n", "line 3 is blank"),
        (b"a\n  \r\n", "line 2 is blank"),
        (b"a\nK\xe4fer\n", "line 2 is not UTF-8 (byte 0xe4)"),
    ],
)
def test_refuses_what_would_shift_classes(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(ModelFileError) as caught:
        load_labels(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_missing_file_names_the_lists(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"no such label file \(named lists: imagenet-1k\)"):
        load_labels(tmp_path / "none.txt")
    with pytest.raises(ModelFileError, match="cannot read the label file: Is a directory"):
        load_labels(tmp_path)
