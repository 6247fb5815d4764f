"""The images of a ``multipart/form-data`` body (RFC 7578), taken apart while it arrives."""

from typing import Final

from msgspec import Struct
from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

from photic.errors import BadRequest, BodyTooLarge
from photic.web.call import MAX_SHOWN
from photic.web.raw_body import RawBody

__all__ = ["ImagePart", "MultipartImages", "is_multipart"]

_TYPE: Final = "multipart/form-data"
_MAX_BOUNDARY: Final = 70  # RFC 2046, section 5.1.1


class ImagePart(Struct, frozen=True):
    """One uploaded file: its name (the file's, else the field's) and its bytes."""

    name: str
    data: bytes | bytearray


class MultipartImages:
    """Collects the files of one body; every part must be a file.

    A form field that is no file is refused, since ignoring, say, ``top_k=3`` would mislead.
    """

    def __init__(self, content_type: str, *, max_images: int) -> None:
        # A name that is not UTF-8 would end the whole body; in Latin-1 all bytes are characters.
        self._parser = PushMultipartParser(_boundary(content_type), header_charset="latin-1")
        self._max_images = max_images
        self._images: list[ImagePart] = []
        self._name = ""
        self._data = RawBody(None)

    def write(self, chunk: bytes) -> None:
        """Take the next chunk of the body.

        Raises:
            BadRequest: When the framing is broken, or a part is not a named file.
            BodyTooLarge: When there are more images than allowed.
        """
        try:
            for event in self._parser.parse(chunk):
                if isinstance(event, MultipartSegment):
                    self._begin(event)
                elif event is None:
                    self._images.append(ImagePart(self._name, self._data.whole()))
                else:
                    self._data.write(event)
        except MultipartError as error:
            raise _bad(f"broken multipart body: {error.args[0]}") from None

    def images(self) -> list[ImagePart]:
        """All images, in order, once the body is at its end.

        Raises:
            BadRequest: When the body ended in mid-part, or holds no part.
        """
        try:
            self._parser.close()
        except MultipartError as error:
            raise _bad(f"broken multipart body: {error.args[0]}") from None
        if not self._images:
            raise _bad("the multipart body holds no part")
        return self._images

    def _begin(self, segment: MultipartSegment) -> None:
        number = len(self._images) + 1
        if not segment.name:
            raise _bad(f"part {number} of the multipart body has no name")
        name = _text(segment.name)
        if segment.filename is None:
            raise _bad(
                f"the form field {name[:MAX_SHOWN]!r} is not a file: send images as files "
                "(curl: -F image=@photo.jpg) and parameters in the query string"
            )
        if number > self._max_images:
            raise BodyTooLarge(
                f"{number} images or more in one multipart body; the limit is {self._max_images}",
                code="too_many_images",
            )
        self._name = _text(segment.filename) or name
        self._data = RawBody(None)


def is_multipart(content_type: str) -> bool:
    """Whether the body is a form with files."""
    return content_type[: len(_TYPE)].lower() == _TYPE


def _boundary(content_type: str) -> str:
    boundary = parse_options_header(content_type)[1].get("boundary", "")
    if not 1 <= len(boundary) <= _MAX_BOUNDARY or not boundary.isascii():
        raise _bad(
            f"multipart/form-data needs a boundary of 1 to {_MAX_BOUNDARY} ASCII characters, "
            f"not {len(boundary)}"
        )
    return str(boundary)


def _text(latin_1: str) -> str:
    """The UTF-8 of a name that was read as Latin-1; other bytes become U+FFFD."""
    return latin_1.encode("latin-1").decode("utf-8", "replace")


def _bad(detail: str) -> BadRequest:
    return BadRequest(detail, code="bad_multipart")
