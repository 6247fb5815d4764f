"""The Python API: the engine of the server, without the server."""

import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from photic.batching.clock import NEVER_NS
from photic.cpu_budget import plan_cpus
from photic.errors import BadRequest, ModelFileError, RequestError
from photic.models.bundle import ModelBundle
from photic.models.repository import ModelRepository, embedded_repository
from photic.preprocess import Preprocessor
from photic.serving.answer import Answer
from photic.serving.engine import load_engine, open_bare
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import Settings
from photic.stages import Timeline

if TYPE_CHECKING:
    from concurrent.futures import Future

    from typing_extensions import Buffer

    Loaded = Buffer | NDArray[np.uint8]
    Image = Loaded | str | PathLike[str]
    Begun = tuple[InferenceRequest, Future[Answer]] | RequestError

__all__ = ["Predictor"]

_RANK: Final = 3
_CHANNELS: Final = 3


class Predictor:
    """Loads a model once; then predicts bytes, paths or arrays, one or many.

    Any number of threads may use one predictor; the work runs on its own worker threads, as many as
    there are CPUs. Nothing has a deadline here.

    >>> import io
    >>> from PIL import Image
    >>> from skimage.data import chelsea
    >>> photo = io.BytesIO()
    >>> Image.fromarray(chelsea()).save(photo, "JPEG")
    >>> with Predictor() as predictor:
    ...     answer = predictor.predict(photo.getvalue(), top_k=1)
    >>> answer.model, answer.predictions[0].index, answer.predictions[0].label
    ('efficientnet-lite0', 282, 'tiger cat')

    Args:
        model: A name in the repository, or the path of an ONNX file.
        repository: Folder of a model repository; None means the one with the embedded model.
        recipe: For an ONNX file: a preset's name, such as ``imagenet``, or a ``model.toml``.
        labels: For an ONNX file: a named list, such as ``imagenet-1k``, or a file with one label
            a line; None takes those of the ``model.toml``.
        settings: Decode limits, batching, CPUs, and how many classes an answer names by default.

    Raises:
        ConfigurationError: The model cannot be loaded; one clear line.
    """

    def __init__(
        self,
        model: str | Path = "efficientnet-lite0",
        *,
        repository: str | Path | None = None,
        recipe: str | None = None,
        labels: str | Path | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._settings = settings or Settings()
        plan = plan_cpus(self._settings.cpu)
        bundle = _bundle(model, repository, recipe, labels)
        self._engine = load_engine(bundle, self._settings, plan)
        self._service = InferenceService(
            [self._engine], default=bundle.name, settings=self._settings, plan=plan
        )
        # Enough that no worker waits for the reader of the answers, yet bounded.
        self._max_in_flight = 2 * plan.workers * self._engine.preferred_batch
        self._service.start()
        self._finalizer = weakref.finalize(self, self._service.close)

    @property
    def bundle(self) -> ModelBundle:
        """Name, version, recipe and labels of the model."""
        return self._engine.bundle

    def predict(self, image: "Image", *, top_k: int | None = None) -> Answer:
        """Predict one image.

        Args:
            image: A file's bytes, a file's path, or pixels, [height, width, 3] uint8 RGB.
            top_k: How many classes to name; None means ``models.top_k`` of the settings.

        Raises:
            ImageError: The image is refused; ``code`` and ``detail`` say why.
            BadRequest: ``top_k`` is out of range, or the array is not such pixels.
            InferenceFailed: The model failed.
            Unavailable: The predictor is closed.
            OSError: The file cannot be read.
        """
        _, future = self._submit(_load(image), self._top_k(top_k))
        return future.result()

    def predict_many(
        self, images: "Iterable[Image]", *, top_k: int | None = None
    ) -> Iterator[Answer | RequestError]:
        """Predict many images, with a bounded number of them in flight.

        Args:
            images: As for ``predict``; read as the answers are taken.
            top_k: As for ``predict``.

        Returns:
            The answers in the order of the images; an image that fails yields its error instead,
            and so does a path that cannot be read.

        Raises:
            BadRequest: ``top_k`` is out of range.
        """
        return self._answers(images, self._top_k(top_k))

    def preprocess(self, image: "Image", *, exact: bool = False) -> NDArray[Any]:
        """The row that the model would see, [3, H, W] or [H, W, 3] in the model's dtype.

        Args:
            image: As for ``predict``.
            exact: Decode at full size, whatever the recipe says.

        Raises:
            ImageError, BadRequest, OSError: As for ``predict``.
        """
        recipe = self.bundle.recipe.input
        if exact:
            recipe = msgspec.structs.replace(recipe, decode="exact")
        dtype = cast("Literal['float32', 'uint8']", self._engine.row_dtype.name)
        preprocessor = Preprocessor(recipe, self._settings.decode, dtype=dtype)
        loaded = _load(image)
        row = np.empty(preprocessor.shape, preprocessor.dtype)
        if isinstance(loaded, np.ndarray):
            preprocessor.pixels_into(loaded, row)
        else:
            preprocessor.into(loaded, row)
        return row

    def close(self) -> None:
        """Stop the worker threads; what still waits fails with Unavailable."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _top_k(self, top_k: int | None) -> int:
        if top_k is None:
            default = self._settings.models.top_k
            return min(default, self._engine.classes or default)
        return self._engine.check_top_k(top_k)

    def _submit(self, image: "Loaded", top_k: int) -> "tuple[InferenceRequest, Future[Answer]]":
        request = InferenceRequest(
            image=image,
            request_id="",
            top_k=top_k,
            deadline_ns=NEVER_NS,
            timeline=Timeline(self._service.clock.now_ns()),
        )
        return request, self._service.submit(self._engine, request)

    def _answers(self, images: "Iterable[Image]", top_k: int) -> Iterator[Answer | RequestError]:
        begun: deque[tuple[InferenceRequest, Future[Answer]] | RequestError] = deque()
        try:
            for image in images:
                begun.append(self._try_submit(image, top_k))
                if len(begun) >= self._max_in_flight:
                    yield _outcome(begun.popleft())
            while begun:
                yield _outcome(begun.popleft())
        finally:  # the caller may stop early
            for one in begun:
                if not isinstance(one, RequestError):
                    one[0].abandon()

    def _try_submit(self, image: "Image", top_k: int) -> "Begun":
        try:
            return self._submit(_load(image), top_k)
        except OSError as error:
            return BadRequest(f"{image}: {error.strerror or error}", code="unreadable_file")
        except RequestError as error:
            return error


def _outcome(
    begun: "Begun",
) -> Answer | RequestError:
    if isinstance(begun, RequestError):
        return begun
    error = begun[1].exception()
    if error is None:
        return begun[1].result()
    if isinstance(error, RequestError):
        return error
    raise error


def _load(image: "Image") -> "Loaded":
    if isinstance(image, str | PathLike):
        return Path(image).read_bytes()
    if not isinstance(image, np.ndarray):
        return image
    if image.dtype != np.uint8 or image.ndim != _RANK or image.shape[2] != _CHANNELS:
        raise BadRequest(
            f"pixels are [height, width, 3] uint8, not {list(image.shape)} {image.dtype}"
        )
    return image


def _bundle(
    model: str | Path, repository: str | Path | None, recipe: str | None, labels: str | Path | None
) -> ModelBundle:
    if isinstance(model, str) and not model.endswith(".onnx"):
        root = None if repository is None else Path(repository)
        found = embedded_repository() if root is None else ModelRepository.open(root)
        return found.bundle(model)
    if recipe is None:
        raise ModelFileError(f"{model}: an ONNX file needs a recipe, a preset or a model.toml")
    return open_bare(Path(model), recipe=recipe, labels=None if labels is None else str(labels))
