"""Predictions on standard output: a table for people, rows or JSON Lines for programs."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from photic.cli.output import on_terminal, warn, write, write_rich
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


def choose_view(total: int, *, as_json: bool) -> View:
    """JSON Lines when asked for, else a table on a terminal, else tab-separated rows."""
    if as_json:
        return JsonLines()
    if not on_terminal():
        return Rows()
    return TableView() if total > 1 else SingleView()


def with_progress(items: Iterable[T], total: int, view: View) -> Iterator[T]:
    """The items, with a progress bar on standard error when they are many and it is a terminal.

    Lines that stream to the same terminal would tear the bar, so there is none then.
    """
    torn = view.streams and on_terminal()
    hidden = total < _MANY or torn or sys.stderr is None or not sys.stderr.isatty()
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
        write(msgspec.json.encode(line))

    def close(self) -> None:
        """Nothing is left."""


class Rows:
    """Tab-separated rows: path, class, label, score; or path and embedding. Errors go to stderr."""

    streams = True

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Write the rows of one image."""
        if isinstance(answer, RequestError):
            _warn(name, answer)
            return
        if answer.embedding is not UNSET:
            values = " ".join(f"{value:g}" for value in answer.embedding)
            write(f"{plain(name)}\t{values}")
        for row in _rows(answer):
            write("\t".join((plain(name), *row)))

    def close(self) -> None:
        """Nothing is left."""


class SingleView:
    """The answer for the only image, whose name its reader has just typed."""

    streams = True

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Write a small table, or the error."""
        if isinstance(answer, RequestError):
            _warn(name, answer)
            return
        if answer.embedding is not UNSET:
            write(_summary(answer.embedding))
            return
        table = Table(box=None, pad_edge=False, header_style="dim")
        _add_columns(table)
        for row in _rows(answer):
            table.add_row(*map(Text, row))
        write_rich(table)

    def close(self) -> None:
        """Nothing is left."""


class TableView:
    """One table of all images, written at the end, also after Ctrl-C."""

    streams = False

    def __init__(self) -> None:
        self._table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        self._table.add_column("Image", overflow="fold")
        _add_columns(self._table)

    def show(self, name: str, answer: "Answer | RequestError") -> None:
        """Add the rows of one image."""
        first = Text(plain(name), style="bold")
        if isinstance(answer, RequestError):
            problem = Text(_reason(name, answer), style="red")
            self._table.add_row(first, "", problem, "", end_section=True)
            return
        rows = _rows(answer)
        if answer.embedding is not UNSET:
            rows = [("", _summary(answer.embedding), "")]
        for number, row in enumerate(rows, 1):
            image = first if number == 1 else ""
            self._table.add_row(image, *map(Text, row), end_section=number == len(rows))

    def close(self) -> None:
        """Write the table."""
        write_rich(self._table)


def _add_columns(table: Table) -> None:
    table.add_column("Class", justify="right")
    table.add_column("Label")
    table.add_column("Score", justify="right")


def _summary(embedding: tuple[float, ...]) -> str:
    return f"embedding of {len(embedding)} values (--json shows them)"


def _warn(name: str, error: RequestError) -> None:
    warn(f"photic: {plain(name)}: {_reason(name, error)}")


def _rows(answer: "Answer") -> list[tuple[str, str, str]]:
    """Class, label and score of each prediction."""
    if answer.predictions is UNSET:
        return []
    return [(str(one.index), plain(one.label), f"{one.score:.4f}") for one in answer.predictions]


def _reason(name: str, error: RequestError) -> str:
    """Code and detail of an error, without the name that stands before it."""
    return plain(f"{error.code}: {error.detail.removeprefix(f'{name}: ')}")
