"""``curl -d @photo.jpg`` breaks images, and is told so."""

import pytest

from photic.errors import ImageError
from photic.web.form_hint import is_form, with_form_hint


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/x-www-form-urlencoded", True),
        ("Application/X-WWW-Form-Urlencoded; charset=utf-8", True),
        ("multipart/form-data; boundary=b", False),
        ("image/jpeg", False),
        ("", False),
    ],
)
def test_which_content_types_are_those_of_forms(content_type, expected):
    assert is_form(content_type) is expected


def test_the_hint_follows_the_reason():
    error = with_form_hint(ImageError("bad marker", code="bad_structure"), b"\xff\xd8\xff\xe0JFIF")
    assert (error.code, error.http_status) == ("bad_structure", 422)
    assert error.detail.startswith("bad marker; the Content-Type is application/x-www-form")
    assert error.detail.endswith("curl -d strips bytes from files, curl --data-binary keeps them")


def test_the_hint_is_given_once():
    error = ImageError("a form; use --data-binary", code="not_jpeg")
    assert with_form_hint(error, b"photo=1") is error


@pytest.mark.parametrize("kept", [b"\0", b"\r", b"\n"])
def test_no_hint_where_the_bytes_that_curl_strips_are_still_there(kept):
    """``curl --data-binary`` sends the same Content-Type."""
    error = ImageError("the image data ends early", code="truncated")
    assert with_form_hint(error, b"\xff\xd8\xff\xe0" + kept + b"\x10JFIF") is error
