"""``photic preprocess``: what the model would see of an image."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from photic.cli.image_paths import STDIN, Source, read_source
from photic.cli.model_options import load_predictor, model_options

if TYPE_CHECKING:
    from photic.settings_loader import LoadedSettings

__all__ = ["preprocess"]


@click.command(epilog="\b\nExample:\n  photic preprocess photo.jpg -o row.npy")
@click.argument("path", metavar="PATH")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the row, in NumPy's .npy format.",
)
@click.option(
    "--exact", is_flag=True, help="Decode at full size, whatever the recipe's `decode` says."
)
@model_options("decode.formats")
def preprocess(
    *,
    path: str,
    output: Path,
    exact: bool,
    loaded: "LoadedSettings",
    model: str | None,
    recipe: str | None,
    labels: str | None,
) -> None:
    """Save what the model would see of an image.

    PATH is a file, or - for standard input. The row has the shape, layout, type and values that
    the model gets. Its shape, type and range are printed.
    """
    import numpy as np

    source = Source(path, None if path == STDIN else Path(path))
    try:
        with load_predictor(loaded.settings, model, recipe, labels) as predictor:
            row = predictor.preprocess(read_source(source), exact=exact)
        with output.open("wb") as file:
            np.save(file, row)
    except OSError as error:
        raise click.FileError(str(error.filename), error.strerror) from None
    shape = list(row.shape)
    click.echo(f"{output}: {shape} {row.dtype}, from {row.min():.6g} to {row.max():.6g}")
