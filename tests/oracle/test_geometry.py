"""Hand-computed placements; torchvision's and TensorFlow's roundings are where servers differ."""

import pytest

from oracle.geometry import placement
from photic.models.recipe import InputRecipe

CROP = InputRecipe(size=(224, 224), fit="crop", resize=256)


@pytest.mark.parametrize(
    ("size", "resized", "window"),
    [
        ((500, 375), (341, 256), (58, 16, 282, 240)),  # 341.33 rounds down, 58.5 to the even 58
        ((375, 500), (256, 341), (16, 58, 240, 282)),
        ((256, 343), (256, 343), (16, 60, 240, 284)),  # 59.5 to the even 60
        ((300, 300), (256, 256), (16, 16, 240, 240)),
        ((100, 65_500), (256, 167_680), (16, 83_728, 240, 83_952)),
    ],
)
def test_crop_counts_as_torchvision(size, resized, window):
    place = placement(CROP, size)
    assert (place.resized, place.window) == (resized, window)


def test_crop_may_be_higher_than_wide():
    place = placement(InputRecipe(size=(300, 200), fit="crop", resize=320), (640, 480))
    assert place.resized == (426, 320)
    assert place.window == (113, 10, 313, 310)


@pytest.mark.parametrize(
    ("size", "source"),
    [
        ((500, 333), (105, 21, 396, 312)),  # int(0.875 * 333) = 291, margins 104.5 and 21
        ((300, 301), (19, 20, 281, 282)),  # int(262.5); the odd pixel goes first
        ((8, 8), (1, 1, 8, 8)),
        ((1, 1), (0, 0, 1, 1)),
    ],
)
def test_crop_fraction_cuts_first_as_efficientnet(size, source):
    place = placement(InputRecipe(size=(224, 224), fit="crop", crop_fraction=0.875), size)
    assert place.source == source
    assert place.resized == (224, 224)


def test_crop_fraction_keeps_the_shape_of_the_output():
    place = placement(InputRecipe(size=(100, 200), fit="crop", crop_fraction=0.5), (640, 480))
    assert place.source == (160, 160, 480, 320)


def test_letterbox_keeps_the_aspect_and_centres():
    place = placement(InputRecipe(size=(416, 416), fit="letterbox"), (640, 425))
    assert place.resized == (416, 276)  # 276.25
    assert place.offset == (0, 70)


def test_letterbox_never_rounds_a_side_to_nothing():
    assert placement(InputRecipe(size=(64, 64), fit="letterbox"), (5_000, 1)).resized == (64, 1)
