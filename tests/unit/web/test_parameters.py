"""``?top_k=`` and ``X-Request-Timeout-Ms``."""

import pytest

from photic.errors import BadRequest
from photic.settings import AdmissionSettings
from photic.web.parameters import requested_timeout_ns, requested_top_k

ADMISSION = AdmissionSettings(deadline_ms=2_000, max_deadline_ms=60_000)


@pytest.mark.parametrize(
    ("query", "expected"),
    [(b"", None), (b"&", None), (b"top_k=1", 1), (b"top_k=1000", 1_000), (b"top_k=%35", 5)],
)
def test_top_k(query, expected):
    assert requested_top_k(query) == expected


@pytest.mark.parametrize(
    "value",
    ["0", "-1", "+5", "1.5", "five", "", "5 ", "1_0", "\u0665", "1" * 10, "9" * 5_000, "%00"],
)
def test_top_k_must_be_a_natural_number(value):
    with pytest.raises(BadRequest, match="top_k must be a whole number of at least 1, not '"):
        requested_top_k(f"top_k={value}".encode())


def test_a_misspelt_parameter_is_refused_by_its_name():
    with pytest.raises(BadRequest, match="unknown query parameter 'topk'; the only one is 'top_k'"):
        requested_top_k(b"topk=3")


def test_a_repeated_parameter_is_refused():
    with pytest.raises(BadRequest, match="more than once"):
        requested_top_k(b"top_k=3&top_k=4")


@pytest.mark.parametrize(
    ("header", "milliseconds"),
    [(None, 2_000), (b"1", 1), (b"2500", 2_500), (b"60000", 60_000), (b"999999", 60_000)],
)
def test_timeouts_are_capped(header, milliseconds):
    assert requested_timeout_ns(header, ADMISSION) == milliseconds * 1_000_000


@pytest.mark.parametrize("header", [b"0", b"-1", b"1e3", b"", b"2s", b"\xff"])
def test_a_timeout_must_be_a_natural_number(header):
    with pytest.raises(BadRequest, match="X-Request-Timeout-Ms must be a whole number"):
        requested_timeout_ns(header, ADMISSION)
