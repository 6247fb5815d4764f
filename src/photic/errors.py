"""Everything that Photic raises on purpose.

::

    PhoticError
    ├── ConfigurationError          a bad setting, model, label file …: one line, exit code 2
    │   ├── SettingsError
    │   ├── ModelFileError
    │   └── StartUpError            a port in use …
    ├── DecodeDeferred              no room to decode this image now; never reaches a client
    └── RequestError                one request cannot be answered: HTTP status and code
        ├── BadRequest              400
        ├── ModelNotFound           404
        ├── BodyTimeout             408
        ├── BodyTooLarge            413
        ├── UnsupportedEncoding     415  a Content-Encoding
        ├── ImageError              400, 415 or 422, by its code (IMAGE_STATUS)
        ├── Overloaded              429  retry_after
        ├── Unavailable             503  retry_after
        ├── DeadlineExceeded        504
        ├── Abandoned               499  the client left; nobody reads it
        └── InferenceFailed         500
"""

from collections.abc import Callable
from typing import ClassVar, Final

__all__ = [
    "IMAGE_STATUS",
    "Abandoned",
    "BadRequest",
    "BodyTimeout",
    "BodyTooLarge",
    "ConfigurationError",
    "DeadlineExceeded",
    "DecodeDeferred",
    "ImageError",
    "InferenceFailed",
    "ModelFileError",
    "ModelNotFound",
    "Overloaded",
    "PhoticError",
    "RequestError",
    "SettingsError",
    "StartUpError",
    "Unavailable",
    "UnsupportedEncoding",
]

IMAGE_STATUS: Final[dict[str, int]] = {
    "empty": 400,
    "not_jpeg": 415,
    "unsupported_precision": 415,
    "unsupported_process": 415,
    "too_many_components": 415,
    "no_image": 422,
    "truncated_header": 422,
    "truncated": 422,
    "bad_structure": 422,
    "bad_tables": 422,
    "bad_dimensions": 422,
    "corrupt_data": 422,
    "too_many_pixels": 422,
    "too_many_scans": 422,
    "decode_time": 422,
    "decoder_memory": 422,
}
"""The HTTP status of each reason for which an image is refused."""


class PhoticError(Exception):
    """The root of all errors that Photic raises on purpose."""


class ConfigurationError(PhoticError):
    """Photic cannot start as it was told to; the message is one clear line."""


class SettingsError(ConfigurationError):
    """A setting is unknown, has a wrong type, or is out of its range."""


class ModelFileError(ConfigurationError):
    """A model, its recipe or its labels are missing, broken, or do not fit each other."""


class StartUpError(ConfigurationError):
    """The server cannot start, for example because its port is in use."""


class DecodeDeferred(PhoticError):
    """There is no room to decode this image now: try again when there is. No client sees it.

    Attributes:
        room: What is full; who waits for the same room stands in one line.
        has_room: Whether this image would find room now; any thread may ask, at any time.
        give_up: Tells the room that nobody wants this image decoded any more.
    """

    def __init__(
        self,
        room: str,
        *,
        has_room: Callable[[], bool],
        give_up: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(f"no room in {room}")
        self.room = room
        self.has_room = has_room
        self.give_up = give_up


class RequestError(PhoticError):
    """One request cannot be answered.

    Attributes:
        status: The HTTP status.
        code: A stable word for programs.
        title: The same for people, without specifics.
        retry_after: Whole seconds after which to try again, or None.
    """

    status: ClassVar[int] = 500
    code: str = "internal"
    title: ClassVar[str] = "Internal error"

    def __init__(
        self, detail: str, *, code: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after = retry_after
        if code is not None:
            self.code = code

    @property
    def http_status(self) -> int:
        """The HTTP status of this very error."""
        return self.status


class BadRequest(RequestError):
    """The request itself is malformed: a parameter, a header, the multipart framing."""

    status = 400
    code = "bad_request"
    title = "Malformed request"


class ModelNotFound(RequestError):
    """No model, or no version of it, has that name."""

    status = 404
    code = "model_not_found"
    title = "No such model"


class BodyTimeout(RequestError):
    """The body did not arrive in time."""

    status = 408
    code = "body_timeout"
    title = "The body came too slowly"


class BodyTooLarge(RequestError):
    """The body is larger than the limit."""

    status = 413
    code = "body_too_large"
    title = "The body is too large"


class UnsupportedEncoding(RequestError):
    """The body is compressed on top of the image's own compression."""

    status = 415
    code = "unsupported_encoding"
    title = "The body is compressed"


class ImageError(RequestError):
    """The bytes are not an image that can be served; ``code`` is a key of IMAGE_STATUS."""

    title = "The image cannot be used"

    def __init__(self, detail: str, *, code: str) -> None:
        super().__init__(detail, code=code)

    @property
    def http_status(self) -> int:
        """400, 415 or 422, by the code."""
        return IMAGE_STATUS[self.code]


class Overloaded(RequestError):
    """All slots, or all bytes for bodies in flight, are taken."""

    status = 429
    code = "overloaded"
    title = "Too many requests in flight"


class Unavailable(RequestError):
    """The server is not ready yet, or is draining."""

    status = 503
    code = "unavailable"
    title = "Not ready"


class DeadlineExceeded(RequestError):
    """The answer was not ready by the request's deadline."""

    status = 504
    code = "deadline_exceeded"
    title = "The deadline passed"


class Abandoned(RequestError):
    """The client left before its answer was ready."""

    status = 499
    code = "abandoned"
    title = "The client left"


class InferenceFailed(RequestError):
    """The model, or the code around it, failed on this request."""

    status = 500
    code = "inference_failed"
    title = "Inference failed"
