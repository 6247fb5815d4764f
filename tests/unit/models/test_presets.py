import pytest

from photic.errors import ModelFileError
from photic.models.presets import PRESETS, preset
from photic.models.recipe_file import check_input
from photic.models.repository import embedded_repository


def test_imagenet_is_torchvisions() -> None:
    recipe = preset("imagenet", size=(224, 224), layout="NCHW")
    assert (recipe.fit, recipe.resize, recipe.filter) == ("crop", 256, "bilinear")
    assert recipe.mean == (0.485, 0.456, 0.406)
    assert recipe.std == (0.229, 0.224, 0.225)


@pytest.mark.parametrize(
    ("name", "side", "resize"),
    [
        ("imagenet", 192, 219),  # 219.43
        ("imagenet", 299, 342),  # 341.71, as torchvision's Inception weights say
        ("clip", 336, 336),
        ("vit", 224, 248),  # timm: floor(224 / 0.9)
        ("vit", 384, 426),
        ("efficientnet-lite", 224, 256),
    ],
)
def test_other_sizes_scale_the_short_side(name: str, side: int, resize: int) -> None:
    assert preset(name, size=(side, side), layout="NCHW").resize == resize


def test_the_embedded_models_recipe_is_its_preset() -> None:
    embedded = embedded_repository().bundle("efficientnet-lite0").recipe.input
    assert preset("efficientnet-lite", size=(224, 224), layout="NCHW") == embedded


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("size", [(224, 224), (192, 320), (1, 1)])
def test_every_preset_is_a_recipe_that_works(name: str, size: tuple[int, int]) -> None:
    recipe = preset(name, size=size, layout="NHWC")
    check_input(recipe)
    assert (recipe.size, recipe.layout) == (size, "NHWC")


@pytest.mark.parametrize(
    ("name", "black", "white"),
    [
        ("inception", -1.0, 1.0),
        ("vit", -1.0, 1.0),
        ("efficientnet-lite", -127 / 128, 1.0),
        ("raw", 0.0, 1.0),
        ("raw-255", 0.0, 255.0),
    ],
)
def test_where_black_and_white_land(name: str, black: float, white: float) -> None:
    recipe = preset(name, size=(8, 8), layout="NCHW")
    lands = [(level - recipe.mean[0]) / recipe.std[0] for level in (0.0, recipe.pixel_range)]
    assert lands == pytest.approx([black, white])


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(ModelFileError, match="no recipe preset `imagnet`: did you mean `imagenet`"):
        preset("imagnet", size=(8, 8), layout="NCHW")
