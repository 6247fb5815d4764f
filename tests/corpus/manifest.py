"""The corpus's MANIFEST.tsv, one record a file."""

import csv
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Upload:
    """One file of the corpus with what the MANIFEST says of it."""

    path: Path
    kind: str
    expected: str
    size: tuple[int, int]
    orientation: int
    upright_size: tuple[int, int] | None
    mean_rgb: Rgb | None
    topleft_rgb: Rgb | None

    @property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def data(self) -> bytes:
        return self.path.read_bytes()


def read_manifest(folder: Path) -> tuple[Upload, ...]:
    with (folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(upload(folder, row) for row in rows)


def upload(folder: Path, row: dict[str, str]) -> Upload:
    tag = int(row["orientation"] or 1)
    return Upload(
        path=folder / row["file"],
        kind=row["kind"],
        expected=row["expected"],
        size=(int(row["width"] or 0), int(row["height"] or 0)),
        orientation=tag if 1 <= tag <= 8 else 1,
        upright_size=pair(row["pillow_oriented_size"]),
        mean_rgb=rgb(row["ref_mean_rgb"]),
        topleft_rgb=rgb(row["ref_topleft_rgb"]),
    )


def pair(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    width, height = text.split("x")
    return int(width), int(height)


def rgb(text: str) -> Rgb | None:
    if not text:
        return None
    red, green, blue = (float(level) for level in text.split(","))
    return red, green, blue
