"""Predictions on standard output: a table for people, rows or JSON Lines for programs."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import click
import msgspec
from msgspec import UNSET, Struct, UnsetType
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from photic.cli.tables import plain
from photic.errors import RequestError

if TYPE_CHECKING:
    from photic.serving.answer import Answer

__all__ = ["View", "choose_view", "with_progress"]

T = TypeVar("T")

_MANY: Final = 10
"""From this many images on, a terminal shows a progress bar."""


class View(Protocol):
    """Shows one answer after the other."""

    streams: bool
    """Whether ``show`` writes at once; else ``close`` writes all."""

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Take one image's answer or error."""

    def close(self) -> None:
        """Write what is left."""


def choose_view(*, as_json: bool) -> View:
    """JSON Lines when asked for, else a table on a terminal, else tab-separated rows."""
    if as_json:
        return JsonLines()
    return TableView() if sys.stdout.isatty() else Rows()


def with_progress(items: Iterable[T], total: int, view: View) -> Iterator[T]:
    """The items, with a progress bar on standard error when they are many and it is a terminal.

    Lines that stream to the same terminal would tear the bar, so there is none then.
    """
    torn = view.streams and sys.stdout.isatty()
    hidden = total < _MANY or torn or not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=hidden) as progress:
        yield from progress.track(items, total=total, description="Images")


class _Problem(Struct, frozen=True):
    code: str
    status: int
    detail: str


class _Line(Struct, frozen=True, kw_only=True):
    """One line of ``--json``: the fields of an answer, or the error."""

    path: str
    model: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    variant: str | UnsetType = UNSET
    predictions: Any = UNSET
    embedding: Any = UNSET
    error: _Problem | UnsetType = UNSET


class JsonLines:
    """One JSON object a line, as soon as it is known."""

    streams = True

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Write one line."""
        if isinstance(answer, RequestError):
            problem = _Problem(answer.code, answer.http_status, answer.detail)
            line = _Line(path=name, error=problem)
        else:
            line = _Line(
                path=name,
                model=answer.model,
                version=answer.version,
                variant=answer.variant,
                predictions=answer.predictions,
                embedding=answer.embedding,
            )
        click.echo(msgspec.json.encode(line))

    def close(self) -> None:
        """Nothing is left."""


class Rows:
    """Tab-separated rows: path, class, label, score; or path and embedding. Errors go to stderr."""

    streams = True

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Write the rows of one image."""
        if isinstance(answer, RequestError):
            click.echo(f"photic: {plain(name)}: {_reason(name, answer)}", err=True)
            return
        if answer.embedding is not UNSET:
            values = " ".join(f"{value:g}" for value in answer.embedding)
            click.echo(f"{plain(name)}\t{values}")
        for row in _rows(answer):
            click.echo("\t".join((plain(name), *row)))

    def close(self) -> None:
        """Nothing is left."""


class TableView:
    """One table of all images, written at the end, also after Ctrl-C."""

    streams = False

    def __init__(self) -> None:
        self._table = Table(show_edge=False, pad_edge=False)
        self._table.add_column("Image", overflow="fold")
        self._table.add_column("Class", justify="right")
        self._table.add_column("Label")
        self._table.add_column("Score", justify="right")

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Add the rows of one image."""
        first = Text(plain(name), style="bold")
        if isinstance(answer, RequestError):
            problem = Text(_reason(name, answer), style="red")
            self._table.add_row(first, "", problem, "", end_section=True)
            return
        rows = _rows(answer)
        if answer.embedding is not UNSET:
            rows = [("", f"embedding of {len(answer.embedding)} values", "")]
        for number, row in enumerate(rows, 1):
            image = first if number == 1 else ""
            self._table.add_row(image, *map(Text, row), end_section=number == len(rows))

    def close(self) -> None:
        """Write the table."""
        Console().print(self._table)


def _rows(answer: "Answer") -> list[tuple[str, str, str]]:
    """Class, label and score of each prediction."""
    if answer.predictions is UNSET:
        return []
    return [(str(one.index), plain(one.label), f"{one.score:.4f}") for one in answer.predictions]


def _reason(name: str, error: RequestError) -> str:
    """Code and detail of an error, without the name that stands before it."""
    return plain(f"{error.code}: {error.detail.removeprefix(f'{name}: ')}")
