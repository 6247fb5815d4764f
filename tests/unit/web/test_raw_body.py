"""One buffer, and as few copies as possible."""

from photic.web.raw_body import RawBody


def test_a_body_in_one_chunk_is_not_copied():
    chunk = b"x" * 50
    raw = RawBody(50)
    raw.write(chunk)
    assert raw.whole() is chunk


def test_a_body_in_chunks_is_copied_once_into_one_buffer():
    raw = RawBody(4)
    raw.write(b"ab")
    buffer = raw.whole()
    raw.write(b"cd")
    assert raw.whole() is buffer
    assert buffer == b"abcd"


def test_chunks_of_unknown_total_are_joined():
    raw = RawBody(None)
    for chunk in (b"ab", b"c", b"def"):
        raw.write(chunk)
    assert raw.whole() == b"abcdef"


def test_nothing():
    assert RawBody(0).whole() == b""
    assert RawBody(None).whole() == b""
