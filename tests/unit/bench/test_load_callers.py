"""The generator's client beside servers that behave in all the ways servers do."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from bench.load.callers import FAILED, GIVEN_UP, Callers
from bench.load.connection import Call

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
REQUEST = b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
LARGE = b"POST / HTTP/1.1\r\nContent-Length: 30000000\r\n\r\n" + bytes(30_000_000)
PATIENT_NS, SOON_NS = 10_000_000_000, 50_000_000

Handler = Callable[[socket.socket], None]


@contextmanager
def serving(handle: Handler) -> Iterator[tuple[str, int]]:
    """Each connection goes to ``handle`` on its own thread, and is closed when that returns."""

    def one(connection: socket.socket) -> None:
        with connection:
            handle(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def send(handle: Handler, *, calls: int = 1, request: bytes = REQUEST, deadline_ns: int) -> Callers:
    with serving(handle) as address:
        callers = Callers(address, [request], deadline_ns)
        for _ in range(calls):
            callers.issue(0)
        callers.close()
    return callers


def statuses(calls: list[Call]) -> list[int]:
    return [call.status for call in calls]


def answer_all(connection: socket.socket) -> None:
    while connection.recv(65_536):
        connection.sendall(ANSWER)


def test_answers_are_noted_and_calls_under_way_have_connections_of_their_own() -> None:
    together = threading.Barrier(3, timeout=10)

    def answer_when_all_are_there(connection: socket.socket) -> None:
        connection.recv(65_536)
        together.wait()
        connection.sendall(ANSWER)
        connection.recv(1)

    callers = send(answer_when_all_are_there, calls=3, deadline_ns=PATIENT_NS)
    assert statuses(callers.calls) == [200, 200, 200]
    assert callers.most_open == 3
    assert all(0 < call.sent_ns < call.ended_ns for call in callers.calls)


class Noticing(Callers):
    """Callers that tell when a call has ended; its connection rests when their lock is free."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.ended = threading.Event()
        super().__init__(address, [REQUEST], PATIENT_NS)

    def _end(self, call: Call, status: int) -> None:
        super()._end(call, status)
        self.ended.set()


def test_a_connection_is_used_again() -> None:
    with serving(answer_all) as address:
        callers = Noticing(address)
        callers.issue(0)
        assert callers.ended.wait(10)
        callers.issue(0)
        callers.close()
    assert statuses(callers.calls) == [200, 200]
    assert callers.most_open == 1


def test_a_call_is_given_up_at_its_deadline_and_its_connection_closed() -> None:
    hung_up = threading.Event()

    def stay_silent(connection: socket.socket) -> None:
        while connection.recv(65_536):
            pass
        hung_up.set()

    (call,) = send(stay_silent, deadline_ns=SOON_NS).calls
    assert call.status == GIVEN_UP
    assert SOON_NS <= call.ended_ns - call.sent_ns < 20 * SOON_NS
    assert hung_up.wait(10)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", b"SSH-2.0-no\r\n\r\n"])
def test_a_connection_that_ends_early_or_talks_nonsense_is_a_failure(said: bytes) -> None:
    def break_off(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(said)

    assert statuses(send(break_off, deadline_ns=PATIENT_NS).calls) == [FAILED]


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
    callers = Callers(address, [REQUEST], PATIENT_NS)
    callers.issue(0)
    callers.close()
    assert statuses(callers.calls) == [FAILED]


def test_a_body_that_the_kernel_does_not_take_at_once_arrives_whole() -> None:
    def read_whole(connection: socket.socket) -> None:
        left = len(LARGE)
        while left:
            left -= len(connection.recv(1 << 20))
        connection.sendall(ANSWER)
        connection.recv(1)

    callers = send(read_whole, request=LARGE, deadline_ns=PATIENT_NS)
    assert statuses(callers.calls) == [200]


def test_a_refusal_before_the_body_was_read_counts_and_ends_the_connection() -> None:
    def refuse(connection: socket.socket) -> None:
        connection.recv(1_000)
        connection.sendall(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
        may_close.wait(10)

    may_close = threading.Event()
    callers = send(refuse, request=LARGE, deadline_ns=PATIENT_NS)
    may_close.set()
    assert statuses(callers.calls) == [503]
