"""Label files: one line a class, in the order of the model's output."""

from pathlib import Path
from typing import Final

from photic.errors import ModelFileError

__all__ = ["NAMED_LABELS", "load_labels"]

NAMED_LABELS: Final[dict[str, Path]] = {
    "imagenet-1k": Path(__file__).parent / "embedded" / "efficientnet-lite0" / "labels.txt",
}
"""Label lists that come with Photic. ``imagenet-1k``: the 1,000 classes of ILSVRC 2012."""


def load_labels(source: str | Path) -> tuple[str, ...]:
    """The labels of a named list or of a file.

    Args:
        source: A key of NAMED_LABELS, or the path of a UTF-8 text file. LF and CRLF line ends and
            a byte order mark are accepted.

    Raises:
        ModelFileError: The file is missing, is not UTF-8, is empty, or has a blank line.
    """
    path = NAMED_LABELS.get(str(source), Path(source))
    lines = _read(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise ModelFileError(f"{path}: the label file is empty")
    labels = tuple(line.removesuffix("\r").strip() for line in lines)
    if "" in labels:
        raise ModelFileError(f"{path}: line {labels.index('') + 1} is blank; each line is a class")
    return labels


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        named = ", ".join(NAMED_LABELS)
        raise ModelFileError(
            f"{path}: there is no such label file (named lists: {named})"
        ) from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot read the label file: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ModelFileError(
            f"{path}: line {line} is not UTF-8 (byte 0x{data[error.start]:02x}); save it as UTF-8"
        ) from None
