"""What the embedded model says of our rows, on the photos of the test packages."""

import pytest

from oracle import normalisation, ours, pillow_rows
from oracle.model import labels, top_1
from oracle.photos import LABELS, jpeg, photo, photo_names
from oracle.recipes import LITE0, LITE0_EXACT
from photic.models.repository import embedded_repository

each_mode = pytest.mark.parametrize("recipe", [LITE0, LITE0_EXACT], ids=["balanced", "exact"])


def test_the_recipe_of_the_oracle_is_the_embedded_one():
    assert embedded_repository().bundle("efficientnet-lite0").recipe.input == LITE0


@each_mode
@pytest.mark.parametrize(("name", "label"), LABELS.items())
def test_the_right_label(name, label, recipe):
    assert labels()[top_1(ours.row(jpeg(photo(name)), recipe))] == label


@each_mode
@pytest.mark.parametrize("name", photo_names())
def test_the_same_class_as_with_pillow(name, recipe):
    for quality in (50, 75, 95):
        data = jpeg(photo(name), quality=quality)
        pillow = normalisation.row(pillow_rows.levels_of(data, recipe), recipe)
        assert top_1(ours.row(data, recipe)) == top_1(pillow)


@pytest.mark.parametrize("orientation", range(2, 9))
def test_the_same_class_however_the_photo_was_held(orientation):
    """The stored pixels are turned by hand so that the tag turns them back."""
    upright = photo("chelsea")
    turned = {
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.transpose(1, 0, 2),
        6: upright.transpose(1, 0, 2)[::-1],
        7: upright[::-1, ::-1].transpose(1, 0, 2),
        8: upright.transpose(1, 0, 2)[:, ::-1],
    }[orientation]
    fine = {"quality": 98, "subsampling": "4:4:4"}
    data = jpeg(turned, orientation=orientation, **fine)
    apart = ours.levels(data, LITE0) - ours.levels(jpeg(upright, **fine), LITE0)
    assert abs(apart).mean() <= 1.0
    assert labels()[top_1(ours.row(data, LITE0))] == "tiger cat"
