"""What a client may ask of a prediction: ``?top_k=`` and ``X-Request-Timeout-Ms``."""

from typing import Final
from urllib.parse import parse_qsl

from photic.errors import BadRequest
from photic.settings import AdmissionSettings

__all__ = ["requested_timeout_ns", "requested_top_k"]

_NS_PER_MS: Final = 1_000_000
_MAX_DIGITS: Final = 9


def requested_top_k(query_string: bytes) -> int | None:
    """The number of predictions asked for, or None.

    Raises:
        BadRequest: On an unknown or repeated parameter, or a value that is not a natural number.
    """
    if not query_string:
        return None
    pairs = parse_qsl(query_string.decode("latin-1"), keep_blank_values=True, max_num_fields=None)
    for name, _ in pairs:
        if name != "top_k":
            raise BadRequest(f"unknown query parameter {name!r}; the only one is 'top_k'")
    if len(pairs) > 1:
        raise BadRequest("the query parameter 'top_k' is given more than once")
    return _natural("top_k", pairs[0][1]) if pairs else None


def requested_timeout_ns(header: bytes | None, settings: AdmissionSettings) -> int:
    """Nanoseconds from the headers to the deadline; longer wishes than the limit are cut to it.

    Raises:
        BadRequest: When ``X-Request-Timeout-Ms`` is not a natural number.
    """
    if header is None:
        return settings.deadline_ms * _NS_PER_MS
    wanted_ms = _natural("X-Request-Timeout-Ms", header.decode("latin-1"))
    return min(wanted_ms, settings.max_deadline_ms) * _NS_PER_MS


def _natural(name: str, value: str) -> int:
    """A number of at least 1, in plain digits (``int`` alone also takes "+1", " 1" and "1_0")."""
    if not (value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS) or int(value) < 1:
        raise BadRequest(f"{name} must be a whole number of at least 1, not {value[:40]!r}")
    return int(value)
