import io

import numpy as np
import pytest
from PIL import Image

from oracle.photos import jpeg
from oracle.pillow_rows import levels_of, upright
from photic.models.recipe import InputRecipe

STRETCH = InputRecipe(size=(2, 2), fit="stretch")
QUARTERS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))
"""Top left, top right, bottom left, bottom right."""


def quartered() -> np.ndarray:
    pixels = np.zeros((32, 64, 3), np.uint8)
    pixels[:16, :32], pixels[:16, 32:], pixels[16:, :32], pixels[16:, 32:] = QUARTERS
    return pixels


@pytest.mark.parametrize(
    ("orientation", "corners"),
    [
        (1, (0, 1, 2, 3)),
        (2, (1, 0, 3, 2)),
        (3, (3, 2, 1, 0)),
        (4, (2, 3, 0, 1)),
        (5, (0, 2, 1, 3)),
        (6, (2, 0, 3, 1)),
        (7, (3, 1, 2, 0)),
        (8, (1, 3, 0, 2)),
        (9, (0, 1, 2, 3)),
    ],
)
def test_turns_the_image_upright(orientation, corners):
    """The corners by the EXIF standard: 6 shows the stored bottom left at the top left."""
    image = upright(jpeg(quartered(), orientation=orientation, quality=95, subsampling=0))
    assert image.size == ((32, 64) if orientation in {5, 6, 7, 8} else (64, 32))
    width, height = image.size
    places = [(4, 4), (width - 5, 4), (4, height - 5), (width - 5, height - 5)]
    seen = [image.getpixel(place) for place in places]
    assert np.abs(np.array(seen, int) - np.array([QUARTERS[c] for c in corners])).max() <= 8


def test_may_ignore_the_orientation():
    data = jpeg(quartered(), orientation=6)
    assert upright(data, orientation="ignore").size == (64, 32)


def test_cmyk_is_not_a_negative():
    file = io.BytesIO()
    Image.new("CMYK", (16, 16), (204, 57, 29, 0)).save(file, "JPEG", quality=100)
    assert np.abs(levels_of(file.getvalue(), STRETCH).astype(int) - (51, 198, 226)).max() <= 2


def test_letterbox_pads_with_its_level():
    row = levels_of(
        jpeg(np.full((10, 20, 3), 200, np.uint8)), InputRecipe(size=(8, 8), fit="letterbox", pad=7)
    )
    assert (row[:2] == 7).all()
    assert (row[6:] == 7).all()
    assert np.abs(row[2:6].astype(int) - 200).max() <= 1
