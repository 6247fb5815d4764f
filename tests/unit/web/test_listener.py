"""The listening socket: ports in use, free ports, URLs."""

import resource
import socket

import pytest

from photic.errors import StartUpError
from photic.web.listener import bind, connections_allowed, listen, url_of


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        yield sock.getsockname()[1]


def test_a_port_in_use_is_one_line(taken):
    with pytest.raises(StartUpError, match=f"127.0.0.1 port {taken}: the port is in use") as caught:
        bind("127.0.0.1", taken)
    assert "\n" not in str(caught.value)


def test_a_port_in_use_by_a_server_that_shares_it():
    """Granian's own sockets, those of another Photic's fork, set SO_REUSEPORT."""
    with (
        socket.create_server(("127.0.0.1", 0), reuse_port=True) as sock,
        pytest.raises(StartUpError, match="in use"),
    ):
        bind("127.0.0.1", sock.getsockname()[1])


def test_a_port_taken_between_bind_and_listen():
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with bind("127.0.0.1", port) as second:
            listen(first, 8)
            with pytest.raises(StartUpError, match="in use"):
                listen(second, 8)


def test_port_0_is_a_free_one_and_clients_connect_only_after_listen():
    with bind("127.0.0.1", 0) as sock:
        address = sock.getsockname()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        listen(sock, 8)
        socket.create_connection(address).close()


@pytest.mark.parametrize("host", ["no-such-host.invalid", "300.1.1.1", "a" * 300])
def test_a_host_that_is_none(host):
    with pytest.raises(StartUpError, match="check --host"):
        bind(host, 0)


def test_an_address_of_another_machine():
    with pytest.raises(StartUpError, match="no such address"):
        bind("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("localhost", None), ("0.0.0.0", "127.0.0.1")]
)
def test_the_url_is_one_that_a_client_here_can_use(host, shown):
    with bind(host, 0) as sock:
        url = url_of(sock)
        assert url.endswith(f":{sock.getsockname()[1]}")
        assert shown is None or url.startswith(f"http://{shown}:")


@pytest.mark.parametrize(
    ("soft", "hard", "allowed", "new_soft"),
    [
        (1_024, 1_048_576, 4_096, 4_160),
        (20_000, 20_000, 4_096, 20_000),
        (256, 256, 192, 256),
        (256, 1_024, 960, 1_024),
        (1_024, resource.RLIM_INFINITY, 4_096, 4_160),
        (32, 32, 1, 32),
    ],
)
def test_open_connections_stay_within_the_limit_on_files(
    monkeypatch, soft, hard, allowed, new_soft
):
    limits = [soft, hard]
    monkeypatch.setattr("resource.getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr("resource.setrlimit", lambda _, new: limits.__setitem__(slice(2), new))
    assert connections_allowed(4_096) == allowed
    assert limits == [new_soft, hard]
