"""``photic preprocess``: what the model would see of an image."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from photic.cli.image_paths import STDIN, Source, read_source
from photic.cli.model_options import load_predictor, model_options
from photic.cli.output import on_terminal, warn, write, write_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from photic.settings_loader import LoadedSettings

__all__ = ["preprocess"]


@click.command(epilog="\b\nExample:\n  photic preprocess photo.jpg -o row.npy")
@click.argument("path", metavar="PATH")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where to write the row, in NumPy's .npy format; - for standard output.",
)
@click.option(
    "--exact", is_flag=True, help="Decode at full size, whatever the recipe's `decode` says."
)
@model_options("decode.formats")
def preprocess(
    *,
    path: str,
    output: str,
    exact: bool,
    loaded: "LoadedSettings",
    model: str | None,
    recipe: str | None,
    labels: str | None,
) -> None:
    """Save what the model would see of an image.

    PATH is a file, or - for standard input. The row has the shape, layout, type and values that
    the model gets. Its shape, type and range are printed, to standard error with `-o -`.
    """
    if output == STDIN and on_terminal():
        raise click.UsageError("-o - writes bytes that a terminal cannot show; redirect it")
    with load_predictor(loaded.settings, model, recipe, labels) as predictor:
        source = Source(path, None if path == STDIN else Path(path))
        image = read_source(source, loaded.settings.body.max_bytes)
        row = predictor.preprocess(image, exact=exact)
    name = "standard output" if output == STDIN else output
    summary = f"{name}: {list(row.shape)} {row.dtype}, from {row.min():.6g} to {row.max():.6g}"
    if output == STDIN:
        write_bytes(_npy(row))
        warn(summary)
    else:
        _save(Path(output), _npy(row))
        write(summary)


def _npy(row: "NDArray[Any]") -> bytes:
    import numpy as np

    file = io.BytesIO()  # numpy itself cannot write to a pipe
    np.save(file, row)
    return file.getvalue()


def _save(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"cannot write '{path}': {error.strerror}") from None
