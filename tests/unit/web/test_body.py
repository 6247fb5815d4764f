"""Reading bodies: sizes, chunk boundaries, early ends, slow and broken clients."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asgi_call import DISCONNECT, Body
from photic.errors import BadRequest, BodyTimeout, BodyTooLarge, Overloaded, UnsupportedEncoding
from photic.web.body import BodyReader, TimeLimit
from photic.web.raw_body import RawBody

LIMIT = 100
PATIENT_S = 60.0


class Ticket:
    def __init__(self, room: int = 10**9) -> None:
        self.grown = []
        self.room = room

    def grow(self, body_bytes: int) -> None:
        if sum(self.grown) + body_bytes > self.room:
            raise Overloaded("no room")
        self.grown.append(body_bytes)


def check(**headers: str) -> None:
    async def run():
        reader(Body(), **headers).check_headers()

    asyncio.run(run())


def reader(body: Body, **headers: str) -> BodyReader:
    pairs = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    return BodyReader(body.receive, pairs, max_bytes=LIMIT)


def read(body: Body, *, ticket: Ticket | None = None, timeout_s: float = PATIENT_S, **headers):
    """The whole body, read."""

    async def run():
        incoming = reader(body, **headers)
        raw = RawBody(incoming.announced)
        limit = TimeLimit(timeout_s, "some.setting")
        await incoming.read(raw.write, ticket or Ticket(), limit)
        return raw.whole()

    return asyncio.run(run())


@given(st.lists(st.binary(max_size=12), max_size=8))
def test_any_chunk_boundaries_give_the_same_bytes(chunks):
    whole = b"".join(chunks)
    assert read(Body(*chunks), content_length=str(len(whole))) == whole
    if chunks:
        assert read(Body(*chunks), transfer_encoding="chunked") == whole


def test_a_body_in_one_chunk_is_not_copied():
    chunk = b"x" * 50
    assert read(Body(chunk), content_length="50") is chunk


def test_no_body_at_all_is_empty_and_nothing_is_asked_for():
    body = Body()
    assert read(body) == b""
    assert body.asked == 0


def test_the_last_announced_byte_ends_the_body():
    body = Body(b"abc", ends=False)
    assert read(body, content_length="3") == b"abc"
    assert body.asked == 1


def test_content_length_above_the_limit_is_refused_on_the_headers():
    with pytest.raises(BodyTooLarge, match=r"101 bytes.*limit is 100"):
        check(content_length="101")


def test_content_length_at_the_limit_passes():
    check(content_length="100")


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "br", "deflate", "identity, gzip", "\xff"])
def test_compressed_bodies_are_refused(encoding):
    with pytest.raises(UnsupportedEncoding, match="send the file as it is"):
        check(content_encoding=encoding)


def test_identity_is_no_encoding():
    check(content_encoding="identity")


def test_a_chunked_body_grows_its_ticket_as_it_comes():
    ticket = Ticket()
    read(Body(b"abc", b"de", b"f"), transfer_encoding="chunked", ticket=ticket)
    assert ticket.grown == [3, 2, 1]


def test_a_body_of_known_length_does_not_grow_its_ticket():
    ticket = Ticket()
    read(Body(b"abc", b"de"), content_length="5", ticket=ticket)
    assert ticket.grown == []


def test_a_chunked_body_stops_at_the_first_chunk_over_the_limit():
    body = Body(*[b"x" * 40] * 10)
    with pytest.raises(BodyTooLarge, match="120 bytes or more"):
        read(body, transfer_encoding="chunked")
    assert body.asked == 3


def test_a_chunked_body_stops_when_the_process_holds_too_much():
    body = Body(*[b"x" * 10] * 5)
    with pytest.raises(Overloaded):
        read(body, transfer_encoding="chunked", ticket=Ticket(room=25))
    assert body.asked == 3


def test_a_body_shorter_than_announced():
    with pytest.raises(BadRequest, match="3 of 5 bytes"):
        read(Body(b"abc"), content_length="5")


def test_a_body_longer_than_announced():
    with pytest.raises(BadRequest, match="longer than its Content-Length: 7 of 5 bytes"):
        read(Body(b"abc", b"defg"), content_length="5")


def test_a_client_that_leaves_in_mid_body():
    with pytest.raises(BadRequest, match="3 of 5 bytes"):
        read(Body(b"abc", DISCONNECT), content_length="5")


def test_a_content_length_that_is_no_number():
    with pytest.raises(BadRequest, match="'-5' is not a number"):
        check(content_length="-5")


def test_a_body_that_does_not_come_in_time():
    with pytest.raises(BodyTimeout, match=r"2 of 5 .* after 10 ms; some.setting sets how long"):
        read(Body(b"ab", ends=False), content_length="5", timeout_s=0.01)


def discard(body: Body, **headers) -> BodyReader:
    async def run():
        incoming = reader(body, **headers)
        await incoming.discard()
        return incoming

    return asyncio.run(run())


def test_discarding_reads_the_rest():
    body = Body(b"ab", b"cd", b"e")
    assert discard(body, content_length="5").received == 5
    assert body.events == []


def test_discarding_ends_when_the_client_leaves():
    assert discard(Body(b"ab", DISCONNECT), content_length="5").received == 2


@pytest.mark.parametrize("headers", [{"transfer_encoding": "chunked"}, {"content_length": "540"}])
def test_discarding_does_not_stop_at_the_limit(headers):
    """Stopping there would reset the connection of a client that is still sending."""
    assert discard(Body(*[b"x" * 60] * 9), **headers).received == 540


def test_a_client_that_waits_for_100_continue_sends_nothing():
    async def run():
        assert not reader(Body(), content_length="2", expect="100-continue").is_coming
        begun = reader(Body(b"a", ends=False), content_length="2", expect="100-continue")
        with pytest.raises(BodyTimeout):
            await begun.read(lambda _: None, Ticket(), TimeLimit(0.01, "some.setting"))
        assert begun.is_coming

    asyncio.run(run())
