import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from photic.cli.output import announce, on_terminal, warn, write


@contextmanager
def full(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No space is left for a stream; in the end its buffer must go nowhere."""
    with Path("/dev/full").open("w") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, name, stream)
        yield
        assert os.path.samestat(os.fstat(stream.fileno()), Path(os.devnull).stat())


@pytest.mark.parametrize(("name", "tell"), [("stdout", announce), ("stderr", warn)])
def test_what_is_no_result_is_dropped_where_it_cannot_be_written(
    name: str, tell: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server's greeting must not end the server."""
    with full(name, monkeypatch):
        tell("hello")


def test_a_result_that_cannot_be_written_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with full("stdout", monkeypatch), pytest.raises(click.ClickException) as caught:
        write("hello")
    assert caught.value.message == "cannot write to standard output: No space left on device"
    assert caught.value.exit_code == 1


def test_closed_streams(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("stdout", "stderr"):
        with monkeypatch.context() as patch:
            patch.setattr(sys, name, None)
            {"stdout": announce, "stderr": warn}[name]("hello")
    monkeypatch.setattr(sys, "stdout", None)
    assert not on_terminal()
    with pytest.raises(click.ClickException, match="it is closed"):
        write("hello")
    assert capfd.readouterr() == ("", "")
