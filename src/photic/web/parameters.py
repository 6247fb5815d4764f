"""What a client may ask of a prediction: ``?top_k=`` and ``X-Request-Timeout-Ms``."""

from typing import Final
from urllib.parse import parse_qsl

from msgspec import Struct

from photic.errors import BadRequest
from photic.settings import AdmissionSettings
from photic.web.call import MAX_SHOWN

__all__ = ["Timeout", "natural_number", "requested_timeout", "requested_top_k"]

_NS_PER_MS: Final = 1_000_000


class Timeout(Struct, frozen=True):
    """Time from the headers to the deadline, and the setting or header that it comes from."""

    ns: int
    set_by: str


def requested_top_k(query_string: bytes) -> str | None:
    """How many predictions are asked for, as it is written, or None.

    Raises:
        BadRequest: On an unknown or repeated parameter.
    """
    if not query_string:
        return None
    pairs = parse_qsl(query_string.decode("utf-8", "replace"), keep_blank_values=True)
    for name, _ in pairs:
        if name != "top_k":
            raise BadRequest(
                f"unknown query parameter {name[:MAX_SHOWN]!r}; the only one is 'top_k'"
            )
    if len(pairs) > 1:
        raise BadRequest("the query parameter 'top_k' is given more than once")
    return pairs[0][1] if pairs else None


def requested_timeout(header: bytes | None, settings: AdmissionSettings) -> Timeout:
    """When the deadline is; longer wishes than the limit are cut to it.

    Raises:
        BadRequest: When ``X-Request-Timeout-Ms`` is not a natural number.
    """
    if header is None:
        return Timeout(settings.deadline_ms * _NS_PER_MS, "admission.deadline_ms")
    value = header.decode("latin-1")
    wanted_ms = natural_number(value)
    if not wanted_ms:
        raise BadRequest(
            f"X-Request-Timeout-Ms must be a whole number of at least 1, not {value[:MAX_SHOWN]!r}"
        )
    if wanted_ms > settings.max_deadline_ms:
        return Timeout(settings.max_deadline_ms * _NS_PER_MS, "admission.max_deadline_ms")
    return Timeout(wanted_ms * _NS_PER_MS, "X-Request-Timeout-Ms")


def natural_number(value: str) -> int | None:
    """A number from 0 on in plain digits (``int`` alone also takes "+1", " 1" and "1_0"), or None.

    Of very long ones the first 40 digits: beyond any limit, too, and short enough to be shown and
    for ``int``, which refuses more than 4,300.
    """
    if not (value.isascii() and value.isdecimal()):
        return None
    return int(value.lstrip("0")[:MAX_SHOWN] or "0")
