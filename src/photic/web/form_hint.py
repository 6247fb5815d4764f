"""What to tell a client that sent its image as if it were a web form."""

from typing import Final

from photic.errors import ImageError

__all__ = ["is_form", "with_form_hint"]

_OPTION: Final = "--data-binary"
_TYPE: Final = "application/x-www-form-urlencoded"


def is_form(content_type: str) -> bool:
    """Whether the body is announced as a form's fields, as curl does unless told otherwise."""
    return content_type[: len(_TYPE)].lower() == _TYPE


def with_form_hint(error: ImageError) -> ImageError:
    """The same error, whose detail also says why ``curl -d @photo.jpg`` breaks images.

    ``curl --data-binary`` sends the same Content-Type, so this may be said of a file that came as
    it is.
    """
    if _OPTION in error.detail:
        return error
    hint = (
        f"the Content-Type is {_TYPE}: curl -d strips bytes from files, curl {_OPTION} keeps them"
    )
    return ImageError(f"{error.detail}; {hint}", code=error.code)
