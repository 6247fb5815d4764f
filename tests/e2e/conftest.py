"""Real servers."""

import httpx
import pytest

from oracle.photos import jpeg, photo
from running_server import RunningServer


@pytest.fixture(scope="session")
def running():
    """One server for all tests that need no settings of their own; it must end well."""
    with RunningServer() as server:
        yield server
        assert server.stop() == 0
        assert "Traceback" not in server.log


@pytest.fixture(scope="session")
def server(running) -> str:
    """Its URL."""
    return running.url


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server, timeout=30) as client:
        yield client


@pytest.fixture(scope="session")
def jpegs() -> dict[str, bytes]:
    """Photos whose labels are known."""
    return {name: jpeg(photo(name)) for name in ("chelsea", "coffee", "rocket", "china", "flower")}
