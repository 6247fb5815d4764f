"""Request ids: the client's when they are sane, else new ones."""

import re

import pytest

from photic.web.call import Call, call_of


@pytest.mark.parametrize("wanted", [b"a", b"3f2c-11:AZ_~.", b"x" * 128, b"a/b=c@d+e"])
def test_a_sane_id_is_taken(wanted):
    assert Call([(b"x-request-id", wanted)]).request_id == wanted.decode()


@pytest.mark.parametrize(
    "wanted", [b"", b"x" * 129, b"a b", b"a\nb", b"a\r\nSet-Cookie: x", b"\xc3\xa9", b'"', b"a\n"]
)
def test_any_other_is_replaced(wanted):
    request_id = Call([(b"x-request-id", wanted)]).request_id
    assert re.fullmatch(r"[0-9a-f]{16}", request_id)


def test_new_ids_differ():
    assert len({Call([]).request_id for _ in range(100)}) == 100


def test_a_scope_carries_its_call():
    scope = {}
    call = Call([(b"a", b"b")])
    call.attach(scope)
    assert call_of(scope) is call
    assert call.headers == {b"a": b"b"}
