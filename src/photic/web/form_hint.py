"""What to tell a client that sent its image as if it were a web form."""

from typing import Final

from photic.errors import ImageError

__all__ = ["is_form", "with_form_hint"]

_OPTION: Final = "--data-binary"
_STRIPPED: Final = b"\0\r\n"
_BEGINNING: Final = 1_024
_TYPE: Final = "application/x-www-form-urlencoded"


def is_form(content_type: str) -> bool:
    """Whether the body is announced as a form's fields, as curl does unless told otherwise."""
    return content_type[: len(_TYPE)].lower() == _TYPE


def with_form_hint(error: ImageError, image: bytes | bytearray) -> ImageError:
    """The same error, whose detail also says why ``curl -d @photo.jpg`` breaks images.

    ``curl --data-binary`` sends the same Content-Type. But it leaves the bytes that ``-d`` strips,
    of which the beginning of every image has some.
    """
    if _OPTION in error.detail or any(byte in _STRIPPED for byte in image[:_BEGINNING]):
        return error
    hint = (
        f"the Content-Type is {_TYPE}: curl -d strips bytes from files, curl {_OPTION} keeps them"
    )
    return ImageError(f"{error.detail}; {hint}", code=error.code)
