"""The Python API: the engine of the server, without the server."""

import os
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from photic.batching.clock import NEVER_NS
from photic.cpu_budget import plan_cpus
from photic.errors import ModelFileError, RequestError, Unavailable
from photic.models.bundle import ModelBundle
from photic.models.repository import ModelRepository, embedded_repository
from photic.preprocess import Preprocessor
from photic.serving.answer import Answer
from photic.serving.engine import load_engine, open_bare
from photic.serving.load_image import load_image
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import Settings
from photic.stages import Timeline

if TYPE_CHECKING:
    from concurrent.futures import Future

    from photic.serving.load_image import Image, Loaded

    Begun = tuple[InferenceRequest, Future[Answer]] | RequestError

__all__ = ["Predictor"]


class Predictor:
    """Loads a model once; then predicts bytes, paths or arrays, one or many.

    Any number of threads may use one predictor; the work runs on its own worker threads, as many as
    there are CPUs. Nothing has a deadline here.

    Threads do not survive ``os.fork``: in a forked child (``multiprocessing`` with the start method
    ``fork``, too) a predictor of its parent raises Unavailable. Make one in each process, or better
    start processes by ``spawn``: ONNX Runtime may hang when a forked child ends by ``sys.exit``.

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
        latency_threads = self._settings.inference.latency_threads
        plan = plan_cpus(self._settings.cpu, latency_threads=latency_threads)
        bundle = _bundle(model, repository, recipe, labels)
        self._engine = load_engine(bundle, self._settings, plan)
        self._service = InferenceService(
            [self._engine], default=bundle.name, settings=self._settings, plan=plan
        )
        # Enough that no worker waits for the reader of the answers, yet bounded.
        self._max_in_flight = 2 * plan.workers * self._engine.preferred_batch
        self._service.start()
        self._process = os.getpid()
        self._finalizer = weakref.finalize(self, _close, self._service, self._process)

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
            BadRequest: ``top_k`` is out of range, the image is none of these, or its file is
                missing, cannot be read or is no regular file (``code`` is ``unreadable_file``).
            BodyTooLarge: The file is larger than ``body.max_bytes`` of the settings.
            InferenceFailed: The model failed.
            Unavailable: The predictor is closed, or was made before this process was forked.
        """
        _, future = self._submit(image, self._top_k(top_k))
        return future.result()

    def predict_many(
        self, images: "Iterable[Image]", *, top_k: int | None = None
    ) -> Iterator[Answer | RequestError]:
        """Predict many images, with a bounded number of them in flight.

        Args:
            images: As for ``predict``; read as the answers are taken.
            top_k: As for ``predict``.

        Returns:
            The answers in the order of the images. Where ``predict`` would raise an error for an
            image, for whatever reason, that error takes the place of its answer.

        Raises:
            BadRequest: ``top_k`` is out of range.
            Unavailable: This process was forked since the iteration began.
        """
        return self._answers(images, self._top_k(top_k))

    def preprocess(self, image: "Image", *, exact: bool = False) -> NDArray[Any]:
        """The row that the model would see, [3, H, W] or [H, W, 3] in the model's dtype.

        Args:
            image: As for ``predict``.
            exact: Decode at full size, whatever the recipe says.

        Raises:
            ImageError, BadRequest, BodyTooLarge, Unavailable: As for ``predict``; a closed
                predictor still does this.
        """
        self._check_process()
        recipe = self.bundle.recipe.input
        if exact:
            recipe = msgspec.structs.replace(recipe, decode="exact")
        dtype = cast("Literal['float32', 'uint8']", self._engine.row_dtype.name)
        preprocessor = Preprocessor(recipe, self._settings.decode, dtype=dtype)
        loaded = load_image(image, self._settings.body.max_bytes)
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

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise Unavailable(
                f"this predictor belongs to process {self._process}, and its threads did not come "
                "along when this process was forked: make a predictor in each process"
            )

    def _submit(self, image: "Image", top_k: int) -> "tuple[InferenceRequest, Future[Answer]]":
        self._check_process()
        loaded: Loaded = load_image(image, self._settings.body.max_bytes)
        request = InferenceRequest(
            image=loaded,
            request_id="",
            top_k=top_k,
            deadline_ns=NEVER_NS,
            timeline=Timeline(self._service.clock.now_ns()),
        )
        return request, self._service.submit(self._engine, request)

    def _answers(self, images: "Iterable[Image]", top_k: int) -> Iterator[Answer | RequestError]:
        begun: deque[Begun] = deque()
        try:
            for image in images:
                begun.append(self._try_submit(image, top_k))
                if len(begun) >= self._max_in_flight:
                    yield self._outcome(begun.popleft())
            while begun:
                yield self._outcome(begun.popleft())
        finally:  # the caller may stop early
            for one in begun:
                if not isinstance(one, RequestError):
                    one[0].abandon()

    def _try_submit(self, image: "Image", top_k: int) -> "Begun":
        try:
            return self._submit(image, top_k)
        except RequestError as error:
            return error

    def _outcome(self, begun: "Begun") -> Answer | RequestError:
        if isinstance(begun, RequestError):
            return begun
        self._check_process()
        error = begun[1].exception()
        if error is None:
            return begun[1].result()
        if isinstance(error, RequestError):
            return error
        raise error


def _close(service: InferenceService, process: int) -> None:
    """In a forked child there is nothing to end, and a lock may be held by a thread of before."""
    if os.getpid() == process:
        service.close("this predictor is closed")


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
