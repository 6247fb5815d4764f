"""The client side of an open loop: a connection for each call under way, one thread that reads.

An arrival is sent by the thread on which it arrives, without a hand-over. Connections are kept and
used in turn (the one that has rested longest first), so that a server of several processes gets
its load spread as its listener spread the connections.
"""

import os
import select
import threading
import time
from collections import deque
from collections.abc import Sequence

from bench.load.connection import Call, Connection

MAX_CONNECTIONS = 512
FAILED = 0
GIVEN_UP = -1
_NS = 1_000_000_000


class Callers:
    """Sends requests and notes how each ended.

    At the deadline it gives up and closes the connection, as real clients do. ``calls`` holds all
    calls in order of arrival, ``most_open`` how many connections there were at most.
    """

    def __init__(
        self,
        address: tuple[str, int],
        requests: Sequence[bytes],
        deadline_ns: int,
    ) -> None:
        self.calls: list[Call] = []
        self.most_open = 0
        self._address = address
        self._requests = requests
        self._deadline_ns = deadline_ns
        self._lock = threading.Lock()
        self._epoll = select.epoll()
        self._open: dict[int, Connection] = {}
        self._idle: deque[Connection] = deque()
        self._busy: dict[
            int, Connection
        ] = {}  # by number, oldest first: the order of their deadlines
        self._closing = False
        self._wake = os.eventfd(0)
        self._epoll.register(self._wake, select.EPOLLIN | select.EPOLLONESHOT)
        self._reader = threading.Thread(target=self._read, name="reader", daemon=True)
        self._reader.start()

    def issue(self, photo: int) -> None:
        """Send one request."""
        call = Call(len(self.calls), time.monotonic_ns())
        with self._lock:
            self.calls.append(call)
            try:
                connection = self._idle.popleft() if self._idle else self._connect()
            except OSError:
                self._end(call, FAILED)
                return
            self._busy[call.number] = connection
            try:
                connection.begin(call, self._requests[photo])
            except OSError:
                self._drop(connection, FAILED)
                return
            if connection.sending:
                self._epoll.modify(connection, connection.events)

    def close(self) -> None:
        """Wait for the calls under way, then close every connection."""
        self._closing = True
        os.eventfd_write(self._wake, 1)
        self._reader.join()
        for connection in self._open.values():
            connection.close()
        self._epoll.close()
        os.close(self._wake)

    def _connect(self) -> Connection:
        if len(self._open) >= MAX_CONNECTIONS:
            raise OSError("no connection left")
        connection = Connection(self._address)
        self._open[connection.fileno()] = connection
        self._epoll.register(connection, connection.events)
        self.most_open = max(self.most_open, len(self._open))
        return connection

    def _read(self) -> None:
        while not self._closing or self._busy:
            events = self._epoll.poll(self._patience_s())
            with self._lock:
                for descriptor, event in events:
                    if (connection := self._open.get(descriptor)) is not None:
                        self._advance(connection, event)
                self._give_up()

    def _patience_s(self) -> float:
        """Until the oldest call's deadline; one that comes meanwhile has a later one."""
        with self._lock:
            oldest = next(iter(self._busy.values()), None)
            if oldest is None or oldest.call is None:
                return self._deadline_ns / _NS
            return max(0, oldest.call.sent_ns + self._deadline_ns - time.monotonic_ns()) / _NS

    def _advance(self, connection: Connection, event: int) -> None:
        try:
            if event & select.EPOLLOUT:
                connection.send()
                if not connection.sending:
                    self._epoll.modify(connection, connection.events)
            answer = connection.receive() if event & ~select.EPOLLOUT else None
        except (OSError, ValueError):
            self._drop(connection, FAILED)
            return
        if answer is None:
            return
        if answer.keep_alive and not connection.sending:
            self._rest(connection, answer.status)
        else:
            self._drop(connection, answer.status)

    def _rest(self, connection: Connection, status: int) -> None:
        self._finish(connection, status)
        self._idle.append(connection)

    def _drop(self, connection: Connection, status: int) -> None:
        if connection.call is None:
            self._idle.remove(connection)
        self._finish(connection, status)
        del self._open[connection.fileno()]
        connection.close()

    def _finish(self, connection: Connection, status: int) -> None:
        if connection.call is not None:
            del self._busy[connection.call.number]
            self._end(connection.call, status)
            connection.call = None

    def _end(self, call: Call, status: int) -> None:
        call.ended_ns, call.status = time.monotonic_ns(), status

    def _give_up(self) -> None:
        now = time.monotonic_ns()
        for connection in list(self._busy.values()):
            if connection.call is None or now < connection.call.sent_ns + self._deadline_ns:
                return
            self._drop(connection, GIVEN_UP)
