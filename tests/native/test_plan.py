"""Plans that make no sense are refused with the reason."""

import pytest


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fit": "cover"}, '"cover", not one of crop, stretch, letterbox'),
        ({"filter": "nearest"}, "bilinear, bicubic"),
        ({"dtype": "float16"}, "float32, uint8"),
        ({"decode": "draft"}, "exact, balanced, fast"),
        ({"resize": 0}, "either resize or crop_fraction"),
        ({"crop_fraction": 0.5}, "either resize or crop_fraction"),
        ({"resize": 0, "crop_fraction": 1.01}, "crop_fraction"),
        ({"resize": 0, "crop_fraction": float("nan")}, "crop_fraction"),
        ({"resize": 223}, "smaller than the crop"),
        ({"height": 0}, "1 to 4096"),
        ({"width": 5000, "resize": 5000}, "1 to 4096"),
        ({"pad": 256}, "0 to 255"),
        ({"scale": [1.0, float("inf"), 1.0]}, "finite"),
        ({"shift": [1.0, 1.0, float("nan")]}, "finite"),
    ],
)
def test_a_plan_without_sense_is_a_value_error(make_decoder, changes, message):
    with pytest.raises(ValueError, match=message):
        make_decoder(**changes)


def test_the_shape_follows_the_layout(make_decoder, row, chelsea_jpeg):
    make_decoder().decode_into(chelsea_jpeg, row)
    with pytest.raises(ValueError, match=r"the plan makes \(224, 224, 3\)"):
        make_decoder(nhwc=True).decode_into(chelsea_jpeg, row)
