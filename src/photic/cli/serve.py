"""``photic serve``."""

import os
import sys
from pathlib import Path

import click

from photic.cli.output import announce
from photic.cli.setting_flags import FLAGS, setting_flags
from photic.settings_loader import LoadedSettings

__all__ = ["serve"]


@click.command()
@click.argument("model", required=False, type=click.Path(path_type=Path), metavar="[MODEL.onnx]")
@click.option(
    "--recipe",
    metavar="PRESET|FILE",
    help="For MODEL.onnx: a preset such as imagenet, or a model.toml.",
)
@click.option(
    "--labels",
    metavar="NAME|FILE",
    help="For MODEL.onnx: imagenet-1k, or a file with a label a line.  "
    "[default: those of the model.toml]",
)
@setting_flags(*FLAGS)
def serve(
    loaded: LoadedSettings, model: Path | None, recipe: str | None, labels: str | None
) -> None:
    """Serve models over HTTP: the embedded one, your repository's, a single MODEL.onnx.

    SIGTERM and Ctrl-C let the requests in flight finish; a second one ends the server at once.
    """
    if model is None and (recipe or labels):
        raise click.UsageError("--recipe and --labels describe a MODEL.onnx, and none is given")
    if model is not None and recipe is None:
        raise click.UsageError(f"{model} needs --recipe: a preset (imagenet …) or a model.toml")
    from photic import app  # heavy: loads ONNX Runtime and the web framework

    bare = None if model is None else app.BareModel(model, recipe or "", labels)
    if not app.serve(loaded, bare=bare, on_listening=_announce):
        sys.stderr.flush()
        os._exit(1)  # a thread may hang in a model, and would keep the process from ending


def _announce(url: str, model: str) -> None:
    announce(f"photic: serving on {url} (model {model}; API at {url}/docs)")
    announce(f"        try: curl --data-binary @photo.jpg {url}/v1/predict")
