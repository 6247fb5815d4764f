"""The recipe of the embedded model, written down apart from the code that reads it."""

import msgspec

from photic.models.recipe import InputRecipe

LITE0 = InputRecipe(
    size=(224, 224),
    fit="crop",
    resize=256,
    filter="bicubic",
    pixel_range=255.0,
    mean=(127.0, 127.0, 127.0),
    std=(128.0, 128.0, 128.0),
)
"""EfficientNet-Lite0: short side 256, centre crop 224, bicubic, (x - 127) / 128."""

LITE0_EXACT = msgspec.structs.replace(LITE0, decode="exact")
