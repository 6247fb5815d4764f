"""``photic predict``: what images show."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from photic.cli.image_paths import Source, expand, read_source
from photic.cli.model_options import load_predictor, model_options
from photic.errors import BadRequest, RequestError

if TYPE_CHECKING:
    from photic.predictor import Predictor
    from photic.serving.answer import Answer
    from photic.settings_loader import LoadedSettings

__all__ = ["predict"]

_EXAMPLES = """\b
Examples:
  photic predict photo.jpg
  photic predict --json --top-k 1 photos/ more/*.jpg > answers.jsonl
  curl -s https://example.org/photo.jpg | photic predict -
  photic predict --model my.onnx --recipe imagenet --labels imagenet-1k photo.jpg
"""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="Write JSON Lines, one object an image.")
@model_options("models.top_k", "cpu.cpus", "decode.formats")
def predict(
    *,
    paths: tuple[str, ...],
    as_json: bool,
    loaded: "LoadedSettings",
    model: str | None,
    recipe: str | None,
    labels: str | None,
) -> int:
    """Name what images show.

    PATH is a file, a folder (with all folders below it), a pattern such as 'photos/**/*.jpg', or -
    for standard input. A file that cannot be used is reported and the rest goes on.

    Exit code: 0 when every image was answered, 1 when one was not, 2 for a wrong option, setting or
    model.
    """
    from photic.cli.predictions_view import choose_view, with_progress

    settings = loaded.settings
    sources = expand(paths, settings.decode.formats)
    with load_predictor(settings, model, recipe, labels) as predictor:
        top_k = _checked_top_k(predictor, loaded)
        answers = _answers(predictor, sources, top_k, settings.body.max_bytes)
        with closing(choose_view(len(sources), as_json=as_json)) as view:
            failed = 0
            for source, answer in with_progress(answers, len(sources), view):
                view.show(source.name, answer)
                failed += isinstance(answer, RequestError)
    return 1 if failed else 0


def _checked_top_k(predictor: "Predictor", loaded: "LoadedSettings") -> int | None:
    """The number of classes to name; None, the default, adapts to models with fewer classes."""
    if loaded.origins["models.top_k"] == "default":
        return None
    top_k = loaded.settings.models.top_k
    try:
        predictor.predict_many((), top_k=top_k)
    except BadRequest as error:
        raise click.UsageError(error.detail) from None
    return top_k


def _answers(
    predictor: "Predictor", sources: Sequence[Source], top_k: int | None, limit: int
) -> Iterator[tuple[Source, "Answer | RequestError"]]:
    """Each source with its answer or error, in order; several are in flight."""
    begun: deque[tuple[Source, RequestError | None]] = deque()

    def images() -> Iterator[bytes]:
        for source in sources:
            try:
                data = read_source(source, limit)
            except RequestError as error:
                begun.append((source, error))
            else:
                begun.append((source, None))
                yield data

    for answer in predictor.predict_many(images(), top_k=top_k):
        yield from _take_failed(begun)
        yield begun.popleft()[0], answer
    yield from _take_failed(begun)


def _take_failed(
    begun: deque[tuple[Source, RequestError | None]],
) -> Iterator[tuple[Source, RequestError]]:
    """Take those that could not be read, up to the first that could."""
    while begun and (error := begun[0][1]):
        yield begun.popleft()[0], error
