"""A server under test: started as users start it, measured as a tree of processes."""

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import psutil
from msgspec import Struct

from bench.harness.client import Client, Endpoint
from bench.harness.process_tree import end_tree

__all__ = ["Launch", "PeerFailed", "RunningPeer", "Server", "bench_environment"]

HOST = "127.0.0.1"
START_S = 120.0
POLL_S = 0.005


class PeerFailed(Exception):
    """A server ended before its first good answer, or never gave one."""


class Launch(Struct, frozen=True):
    """How to start a server on a port.

    Attributes:
        command: The whole command line.
        env: Variables on top of this process's, from which all ``PHOTIC_*`` are dropped.
    """

    command: tuple[str, ...]
    env: dict[str, str] = {}


class Server(Struct, frozen=True):
    """A kind of server.

    Attributes:
        name: In results and on the command line.
        label: For people.
        launch: From a port to what must be started.
        endpoint: From a host and port to where photos are sent.
        versions: Distributions whose versions the report names.
    """

    name: str
    label: str
    launch: Callable[[int], Launch]
    endpoint: Callable[[str, int], Endpoint]
    versions: tuple[str, ...] = ()


class RunningPeer:
    """Starts the server and waits for its first good answer.

    Args:
        server: What to start.
        photo: Sent until it is answered.
        prefix: A command that runs the rest of its command line.

    Attributes:
        url: (host, port, path).
        endpoint: The same for clients.
        process: The root of the tree.
        cold_start_ns: From spawning the process to its first good answer.

    Raises:
        PeerFailed: Its message ends with the last lines the server wrote.
    """

    def __init__(self, server: Server, photo: bytes, *, prefix: tuple[str, ...] = ()) -> None:
        self.server = server
        port = _free_port()
        self.endpoint = server.endpoint(HOST, port)
        launch = server.launch(port)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  a file never blocks who writes
        spawned = time.perf_counter_ns()
        popen = subprocess.Popen(
            [*prefix, *launch.command],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            cwd=tempfile.gettempdir(),  # one without a photic.toml
            env=bench_environment(launch.env),
            start_new_session=True,
        )
        self._popen = popen
        self.process = psutil.Process(popen.pid)
        try:
            self._wait(photo)
        except BaseException:
            self.close()
            raise
        self.cold_start_ns = time.perf_counter_ns() - spawned

    @property
    def url(self) -> tuple[str, int, str]:
        """Host, port and path of its predictions."""
        return self.endpoint.host, self.endpoint.port, self.endpoint.path

    @property
    def log(self) -> str:
        """What it wrote so far."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def _wait(self, photo: bytes) -> None:
        ends = time.monotonic() + START_S
        with Client(self.endpoint, deadline_s=START_S) as client:
            while not client.predict(photo).good:
                if self._popen.poll() is not None:
                    raise PeerFailed(f"{self.server.name} ended: {self._last_words()}")
                if time.monotonic() > ends:
                    raise PeerFailed(f"{self.server.name} gave no answer: {self._last_words()}")
                time.sleep(POLL_S)

    def _last_words(self) -> str:
        return " | ".join(self.log.strip().splitlines()[-3:])

    def close(self) -> None:
        """End the whole tree."""
        end_tree(self.process)
        self._popen.wait()
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def bench_environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """This process's environment without Photic's settings, the same for every program measured.

    ONNX Runtime's telemetry is off: its threads, and connections that some networks refuse, would
    count as the servers' work.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PHOTIC_")}
    return {**kept, "ORT_DISABLE_TELEMETRY": "1", **(extra or {})}
