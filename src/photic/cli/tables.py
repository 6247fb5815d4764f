"""Tables on standard output: drawn on a terminal, tab-separated rows for programs."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from photic.cli.output import on_terminal, write, write_rich

__all__ = ["plain", "print_table"]


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a heading; without a terminal, one tab-separated line a row."""
    if not on_terminal():
        for row in (columns, *rows):
            write("\t".join(map(plain, row)))
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    write_rich(table)


def plain(text: str) -> str:
    """Text that moves no cursor and breaks no row, whatever a file is called."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
