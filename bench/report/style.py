"""How all plots look: white ground, colours that colour-blind people tell apart, small files."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl

mpl.use("Agg")  # no display

from matplotlib import pyplot as plt
from PIL import Image

__all__ = ["MARKERS", "OTHERS", "OURS", "figure", "look"]

OURS: Final = "#d55e00"
OTHERS: Final = ("#0072b2", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f")
"""Okabe and Ito's, the yellow excepted, which is faint on white."""
MARKERS: Final = "osD^vPX*"

_SETTINGS: Final = {
    "font.size": 9,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "figure.facecolor": "white",
    "legend.frameon": False,
}
DPI: Final = 130
COLOURS: Final = 128


def look(position: int) -> dict[str, Any]:
    """Colour, marker and width of the line of a server; position 0 is Photic's."""
    colour = OURS if position == 0 else OTHERS[(position - 1) % len(OTHERS)]
    return {
        "color": colour,
        "marker": MARKERS[position % len(MARKERS)],
        "markersize": 5,
        "linewidth": 2.4 if position == 0 else 1.3,
        "zorder": 3 if position == 0 else 2,
    }


@contextmanager
def figure(path: Path, size: tuple[float, float], columns: int) -> Iterator[Sequence[Any]]:
    """The panels of a plot that is written when the block ends; `size` in inches."""
    with mpl.rc_context(_SETTINGS):
        drawn, panels = plt.subplots(
            1, columns, figsize=size, squeeze=False, layout="constrained", sharey=False
        )
        try:
            yield panels[0]
            _write(drawn, path)
        finally:
            plt.close(drawn)


def _write(drawn: Any, path: Path) -> None:
    """As a PNG with a palette, a third of the size of one without."""
    full = io.BytesIO()
    drawn.savefig(full, dpi=DPI, format="png")
    with Image.open(full) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
