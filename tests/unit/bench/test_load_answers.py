import pytest

from bench.load.answers import Answer, parse

SIZED = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"


@pytest.mark.parametrize(("whole", "status"), [(SIZED, 200), (CHUNKED, 503)])
def test_an_answer_is_there_when_its_last_byte_is(whole: bytes, status: int) -> None:
    assert all(parse(whole[:end]) is None for end in range(len(whole)))
    assert parse(whole) == Answer(status, keep_alive=True)


def test_the_server_may_want_the_connection_closed() -> None:
    answer = parse(SIZED.replace(b"X: y", b"Connection: close"))
    assert answer == Answer(200, keep_alive=False)


def test_an_empty_body() -> None:
    assert parse(b"HTTP/1.1 204 -\r\ncontent-length: 0\r\n\r\n") == Answer(204, keep_alive=True)


def test_an_empty_chunked_body() -> None:
    answer = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    assert parse(answer[:-1]) is None
    assert parse(answer) == Answer(200, keep_alive=True)


@pytest.mark.parametrize(
    "received", [b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nServer: mute\r\n\r\nbody"]
)
def test_what_is_no_answer_or_has_no_end_is_refused(received: bytes) -> None:
    with pytest.raises(ValueError, match="answer"):
        parse(received)
