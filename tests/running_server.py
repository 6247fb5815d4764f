"""A real ``photic serve`` process, for tests."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

import httpx

_URL = re.compile(r"serving on (http://\S+)")
_PATIENT_S = 60


class RunningServer:
    """Starts the server on a free port, and returns when clients can connect.

    Args:
        arguments: Of ``photic serve``.
        folder: Working directory; one without a photic.toml by default.
        prefix: A command that runs the rest of its command line.
    """

    def __init__(
        self, *arguments: str, folder: Path | None = None, prefix: tuple[str, ...] = ()
    ) -> None:
        self._stderr = tempfile.TemporaryFile()  # a file never blocks who writes  # noqa: SIM115
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "photic", "serve", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            cwd=folder or tempfile.gettempdir(),
            env={k: v for k, v in os.environ.items() if not k.startswith("PHOTIC_")},
        )
        self.url = self._wait_for_url()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        url = httpx.URL(self.url)
        return url.host, url.port or 0

    @property
    def log(self) -> str:
        """What it wrote to stderr so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode()

    def _wait_for_url(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := _URL.search(line.decode()):
                return found[1]
        raise AssertionError(f"the server ended with {self.process.wait()}: {self.log}")

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """The exit code."""
        return self.process.wait(_PATIENT_S)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._stderr.close()


HOLDS_REQUESTS = ("--preferred-batch", "8", "--max-queue-delay-ms", "30000")
"""Makes a server hold each request for half a minute, or until eight are there, or its deadline."""
