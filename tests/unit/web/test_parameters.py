"""``?top_k=`` and ``X-Request-Timeout-Ms``."""

import pytest

from photic.errors import BadRequest
from photic.settings import AdmissionSettings
from photic.web.parameters import Timeout, natural_number, requested_timeout, requested_top_k

ADMISSION = AdmissionSettings(deadline_ms=2_000, max_deadline_ms=60_000)


@pytest.mark.parametrize(
    ("query", "expected"),
    [(b"", None), (b"&", None), (b"top_k=", ""), (b"top_k=1", "1"), (b"top_k=%35+x", "5 x")],
)
def test_top_k(query, expected):
    assert requested_top_k(query) == expected


def test_a_misspelt_parameter_is_refused_by_its_name():
    with pytest.raises(BadRequest, match="unknown query parameter 'topk'; the only one is 'top_k'"):
        requested_top_k(b"topk=3")


@pytest.mark.parametrize("query", ["größe=3", "gr%C3%B6%C3%9Fe=3"])
def test_the_query_is_utf_8(query):
    with pytest.raises(BadRequest, match="unknown query parameter 'größe'"):
        requested_top_k(query.encode())


def test_a_query_that_is_not_utf_8():
    with pytest.raises(BadRequest, match="unknown query parameter '\ufffd'"):
        requested_top_k(b"\xff=3")


def test_a_long_parameter_is_cut_in_the_detail():
    with pytest.raises(BadRequest, match=r"'x{40}'"):
        requested_top_k(b"x" * 100_000)


def test_a_repeated_parameter_is_refused():
    with pytest.raises(BadRequest, match="more than once"):
        requested_top_k(b"top_k=3&top_k=4")


@pytest.mark.parametrize(
    ("header", "milliseconds", "set_by"),
    [
        (None, 2_000, "admission.deadline_ms"),
        (b"1", 1, "X-Request-Timeout-Ms"),
        (b"002500", 2_500, "X-Request-Timeout-Ms"),
        (b"60000", 60_000, "X-Request-Timeout-Ms"),
        (b"60001", 60_000, "admission.max_deadline_ms"),
        (b"999999999999999", 60_000, "admission.max_deadline_ms"),
        (b"9" * 5_000, 60_000, "admission.max_deadline_ms"),
    ],
)
def test_timeouts_are_capped_and_named(header, milliseconds, set_by):
    assert requested_timeout(header, ADMISSION) == Timeout(milliseconds * 1_000_000, set_by)


@pytest.mark.parametrize("header", [b"0", b"-1", b"1e3", b"", b"2s", b"\xff"])
def test_a_timeout_must_be_a_natural_number(header):
    with pytest.raises(BadRequest, match="X-Request-Timeout-Ms must be a whole number"):
        requested_timeout(header, ADMISSION)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("0", 0),
        ("0042", 42),
        ("9" * 40, int("9" * 40)),
        ("9" * 10_000, int("9" * 40)),
        ("0" * 10_000 + "7", 7),
        ("", None),
        ("-1", None),
        ("+5", None),
        ("1.5", None),
        ("5 ", None),
        ("\0", None),
        ("1_0", None),
        ("\u0665", None),
    ],
)
def test_digits_of_any_length_are_numbers(value, number):
    assert natural_number(value) == number
