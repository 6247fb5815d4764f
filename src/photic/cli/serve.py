"""``photic serve``."""

import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from photic.settings_loader import load_settings

__all__ = ["serve"]

_EXISTING: Final = click.Path(path_type=Path)
_FLAG_NAMES: Final = {
    "models.repository": "--model-repository",
    "models.default": "--default-model",
    "logging.level": "--log-level",
}


@click.command()
@click.argument("model", required=False, type=_EXISTING, metavar="[MODEL.onnx]")
@click.option("--recipe", help="Preset or model.toml for MODEL.onnx, such as imagenet.")
@click.option("--labels", help="Labels of MODEL.onnx: imagenet-1k, or a file with one a line.")
@click.option("--host", help="Address to listen on [127.0.0.1].")
@click.option("--port", help="Port to listen on; 0 picks a free one [8000].")
@click.option("--model-repository", help="Folder with models of your own.")
@click.option("--default-model", help="Name of the model behind /v1/predict.")
@click.option("--cpus", help="CPUs to use [all that the process may use].")
@click.option("--preferred-batch", help="Rows that run together under load [1].")
@click.option("--log-level", help="debug, info, warning or error [info].")
@click.option("--config", type=_EXISTING, help="Settings file [photic.toml].")
def serve(
    model: Path | None, recipe: str | None, labels: str | None, config: Path | None, **flags: Any
) -> None:
    """Serve models over HTTP: the embedded one, your repository's, or a single MODEL.onnx.

    Settings come from flags, PHOTIC_* variables, photic.toml and defaults, in this order;
    `photic config` shows them all.
    """
    if model is None and (recipe or labels):
        raise click.UsageError("--recipe and --labels describe a MODEL.onnx, and none is given")
    if model is not None and recipe is None:
        raise click.UsageError(f"{model} needs --recipe: a preset (imagenet …) or a model.toml")
    from photic import app  # heavy: loads ONNX Runtime and the web framework

    loaded = load_settings(config=config, flags=_settings_of(flags), flag_names=_FLAG_NAMES)
    bare = None if model is None else app.BareModel(model, recipe or "", labels)
    if not app.serve(loaded, bare=bare, on_listening=_announce):
        sys.stderr.flush()
        os._exit(1)  # a worker thread may hang in a model, and would keep the process alive


def _settings_of(flags: dict[str, Any]) -> dict[str, object]:
    return {
        "server.host": flags["host"],
        "server.port": flags["port"],
        "models.repository": flags["model_repository"],
        "models.default": flags["default_model"],
        "cpu.cpus": flags["cpus"],
        "batching.preferred_batch": flags["preferred_batch"],
        "logging.level": flags["log_level"],
    }


def _announce(url: str, model: str) -> None:
    click.echo(f"photic: serving on {url} (model {model}; API at {url}/docs)")
    click.echo(f"        try: curl --data-binary @photo.jpg {url}/v1/predict")
