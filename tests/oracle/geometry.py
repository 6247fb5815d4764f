"""Where the pixels of a row come from, as torchvision, TensorFlow and YOLO count them."""

from dataclasses import dataclass
from fractions import Fraction

from photic.models.recipe import InputRecipe

Size = tuple[int, int]
"""(width, height), as Pillow writes it."""

Box = tuple[int, int, int, int]
"""(left, top, right, bottom), as Pillow writes it."""


@dataclass(frozen=True)
class Placement:
    """Cut ``source`` out of the upright image, resize it, cut out ``window``, pad to ``canvas``.

    ``offset`` is where the window's top left corner lies on the canvas.
    """

    source: Box
    resized: Size
    window: Box
    canvas: Size
    offset: tuple[int, int] = (0, 0)


def placement(recipe: InputRecipe, size: Size) -> Placement:
    """The placement of an upright image of ``size``."""
    if recipe.fit == "letterbox":
        return letterbox(recipe, size)
    if recipe.fit == "stretch":
        return stretched(recipe, (0, 0, *size))
    if recipe.crop_fraction is not None:
        return stretched(recipe, central_crop(recipe, size))
    return resize_and_centre_crop(recipe, size)


def stretched(recipe: InputRecipe, source: Box) -> Placement:
    height, width = recipe.size
    return Placement(source, (width, height), (0, 0, width, height), (width, height))


def central_crop(recipe: InputRecipe, size: Size) -> Box:
    """EfficientNet's central crop in TensorFlow, for outputs of any shape.

    That fraction of the largest centred box of the output's shape, in whole pixels (rounded down);
    an odd pixel of margin goes to the left or the top.
    """
    fraction = Fraction(str(recipe.crop_fraction))
    height, width = recipe.size
    unit = fraction * min(Fraction(size[0], width), Fraction(size[1], height))
    across, down = max(1, int(unit * width)), max(1, int(unit * height))
    left, top = (size[0] - across + 1) // 2, (size[1] - down + 1) // 2
    return left, top, left + across, top + down


def resize_and_centre_crop(recipe: InputRecipe, size: Size) -> Placement:
    """torchvision's Resize and CenterCrop: int() for the long side, round() for the offsets."""
    assert recipe.resize is not None
    short, long = sorted(size)
    longer = int(recipe.resize * long / short)
    resized = (recipe.resize, longer) if size[0] <= size[1] else (longer, recipe.resize)
    height, width = recipe.size
    left, top = round((resized[0] - width) / 2.0), round((resized[1] - height) / 2.0)
    return Placement(
        (0, 0, *size), resized, (left, top, left + width, top + height), (width, height)
    )


def letterbox(recipe: InputRecipe, size: Size) -> Placement:
    """Aspect kept, centred; an odd pixel of padding goes to the right or the bottom."""
    height, width = recipe.size
    ratio = min(width / size[0], height / size[1])
    resized = max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio))
    offset = (width - resized[0]) // 2, (height - resized[1]) // 2
    return Placement((0, 0, *size), resized, (0, 0, *resized), (width, height), offset)
