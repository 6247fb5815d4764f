"""Writes lines to the standard streams, which may be closed, full, or a terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

import click
from rich.console import Console, RenderableType

__all__ = ["announce", "on_terminal", "silence", "warn", "write", "write_bytes", "write_rich"]

NAME: Final = "standard output"


def on_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def write(line: str | bytes) -> None:
    """One line to standard output, at once.

    Raises:
        click.ClickException: It cannot be written; exit code 1.
        BrokenPipeError: The reader has left; click ends the command quietly.
    """
    with _writing():
        click.echo(line)


def write_bytes(data: bytes) -> None:
    """These very bytes to standard output; raises as ``write``."""
    with _writing():
        click.echo(data, nl=False)


def write_rich(*renderables: RenderableType) -> None:
    """What rich draws, to standard output; raises as ``write``."""
    with _writing():
        console = Console()
        for one in renderables:
            console.print(one)


def warn(line: str) -> None:
    """One line to standard error; dropped when it cannot be written, since nobody can be told."""
    _try_to_write(line, sys.stderr)


def announce(line: str) -> None:
    """One line to standard output that is no result: dropped when it cannot be written."""
    _try_to_write(line, sys.stdout)


def silence(stream: TextIO | None) -> None:
    """Send what is still buffered nowhere, or Python's exit would try once more, and complain."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _try_to_write(line: str, stream: TextIO | None) -> None:
    if stream is None:  # click would take standard output instead
        return
    try:
        click.echo(line, file=stream)
    except OSError:
        silence(stream)


@contextmanager
def _writing() -> Iterator[None]:
    # Python sets it to None when the process was started without; typeshed does not say so.
    if sys.stdout is None:
        raise click.ClickException(f"cannot write to {NAME}: it is closed")
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(sys.stdout)
        raise click.ClickException(f"cannot write to {NAME}: {error.strerror}") from None
