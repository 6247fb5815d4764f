"""One loaded model: the stages of its requests in their order, and how it is loaded."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from photic.batching.clock import MONOTONIC, Clock
from photic.errors import BadRequest, InferenceFailed, RequestError
from photic.inference.runner import Runner
from photic.inference.session import load_description
from photic.inference.session_pair import load_pair
from photic.inference.signature import check_fit, check_labels, read_input, read_output
from photic.inference.warm_up import agrees, occupy, warm_up
from photic.models.bundle import ModelBundle, bare_bundle
from photic.postprocess.classification import Classification, are_probabilities
from photic.postprocess.embedding import Embedding
from photic.postprocess.prediction import Prediction
from photic.preprocess import Preprocessor
from photic.serving.answer import Answer
from photic.serving.request import InferenceRequest
from photic.settings import BatchingSettings, Settings
from photic.stages import Stage

if TYPE_CHECKING:
    from photic.cpu_budget import CpuPlan

__all__ = ["Engine", "load_engine", "open_bare"]

_log = logging.getLogger(__name__)


class Engine:
    """One model and its lane of the batcher, which calls ``decode`` and ``run`` on its workers.

    Attributes:
        bundle: Name, version, recipe and labels.
        classes: How many classes it can name; 0 when its task has none.
        name, preferred_batch, max_queue_delay_ns, expected_infer_ns, runs_alone, row_shape,
            row_dtype: See ``batching.lane.Lane``.
    """

    def __init__(
        self,
        bundle: ModelBundle,
        *,
        preprocessor: Preprocessor,
        runner: Runner,
        latency_runner: Runner | None = None,
        postprocessor: Classification | Embedding,
        batching: BatchingSettings,
        expected_infer_ns: int = 0,
        clock: Clock = MONOTONIC,
    ) -> None:
        self.bundle = bundle
        self.classes = len(bundle.labels)
        self.name = f"{bundle.name}/{bundle.version}"
        self.preferred_batch = batching.preferred_batch
        self.max_queue_delay_ns = batching.max_queue_delay_ms * 1_000_000
        self.expected_infer_ns = expected_infer_ns
        self.runs_alone = latency_runner is not None
        self.row_shape: tuple[int, ...] = preprocessor.shape
        self.row_dtype = preprocessor.dtype
        self._preprocessor = preprocessor
        self._runner = runner
        self._latency_runner = latency_runner
        self._postprocessor = postprocessor
        self._clock = clock

    def check_top_k(self, top_k: int) -> int:
        """The same number, if the model can name so many classes.

        Raises:
            BadRequest: It cannot.
        """
        if self.classes and not 1 <= top_k <= self.classes:
            raise BadRequest(
                f"top_k is {top_k}; it must be from 1 to {self.classes}, the number of classes of "
                f"{self.bundle.name}"
            )
        return top_k

    def decode(self, request: InferenceRequest, row: NDArray[Any]) -> None:
        """Stage ``decode``: the request's image to one row.

        Raises:
            ImageError: The image is refused.
            DecodeDeferred: Others leave no room to decode it now. A worker does not wait for it.
        """
        image = request.image
        if isinstance(image, np.ndarray):
            self._preprocessor.pixels_into(image, row)
        else:
            self._preprocessor.into(image, row, wait=False)

    def run(
        self, requests: Sequence[InferenceRequest], rows: NDArray[Any], *, alone: bool = False
    ) -> list[Answer | RequestError]:
        """Stages ``infer`` and ``postprocess``: rows to an answer, or an error, for each request.

        Raises:
            InferenceFailed: The model failed on the whole batch.
        """
        runner = self._latency_runner if alone else None
        outputs = (runner or self._runner).run(rows)
        self._end(Stage.INFER, requests)
        finite = np.isfinite(outputs)
        if not finite.all():
            outputs = np.where(finite, outputs, np.float32(0.0))
        predictions = self._postprocessor(outputs, [request.top_k for request in requests])
        answers = [
            self._answer(request, prediction, finite=bool(row.all()))
            for request, prediction, row in zip(requests, predictions, finite, strict=True)
        ]
        self._end(Stage.POSTPROCESS, requests)
        return answers

    def _answer(
        self, request: InferenceRequest, prediction: Prediction, *, finite: bool
    ) -> Answer | RequestError:
        if not finite:
            return InferenceFailed("the model gave NaN or infinite values for this image")
        bundle = self.bundle
        return Answer(
            model=bundle.name,
            version=bundle.version,
            variant=bundle.variant,
            request_id=request.request_id,
            predictions=prediction.predictions,
            embedding=prediction.embedding,
        )

    def _end(self, stage: Stage, requests: Sequence[InferenceRequest]) -> None:
        now_ns = self._clock.now_ns()
        for request in requests:
            request.timeline.end(stage, now_ns)


def load_engine(bundle: ModelBundle, settings: Settings, plan: "CpuPlan") -> Engine:
    """Load a model, check that recipe, labels and model fit each other, and run it once.

    Raises:
        ModelFileError: The model is broken, or the parts do not fit; the message has the numbers.
    """
    sessions = load_pair(
        bundle.path,
        intra_op_threads=plan.intra_op_threads,
        latency_threads=plan.latency_threads,
    )
    taken = read_input(sessions.throughput, bundle.path)
    given = read_output(sessions.throughput, bundle.path, classes=len(bundle.labels))
    preprocessor = Preprocessor(bundle.recipe.input, settings.decode, dtype=taken.dtype)
    check_fit(taken, bundle, preprocessor.shape)
    runner = Runner(sessions.throughput, taken, given)
    latency = Runner(sessions.latency, taken, given) if sessions.latency else None
    source, shape = str(bundle.path), preprocessor.shape
    warm = warm_up(runner, shape, batch=settings.batching.preferred_batch, source=source)
    occupy(runner, shape, batch=warm.max_batch, runs=plan.workers)
    if latency is not None and not agrees(latency, shape, warm=warm, source=source):
        latency = None
    return Engine(
        bundle,
        preprocessor=preprocessor,
        runner=runner,
        latency_runner=latency,
        postprocessor=_postprocessor(bundle, warm.outputs),
        batching=BatchingSettings(
            preferred_batch=warm.max_batch, max_queue_delay_ms=settings.batching.max_queue_delay_ms
        ),
        expected_infer_ns=warm.infer_ns,
    )


def _postprocessor(bundle: ModelBundle, outputs: NDArray[np.float32]) -> Classification | Embedding:
    if bundle.recipe.task == "embedding":
        return Embedding()
    check_labels(outputs.shape[1], bundle)
    scores = bundle.recipe.output.scores
    if scores == "softmax" and are_probabilities(outputs):
        _log.warning(
            '%s: the outputs already sum to 1, and scores = "softmax" flattens them; '
            'set scores = "none" in model.toml',
            bundle.path,
        )
    return Classification(bundle.labels, scores=scores)


def open_bare(path: Path, *, recipe: str, labels: str | None) -> ModelBundle:
    """A single ONNX file as a model; size and layout of its input come from the file itself.

    Args:
        path: The ONNX file.
        recipe: A preset's name, or the path of a ``model.toml``.
        labels: A named list or a file; None takes those of the ``model.toml``.

    Raises:
        ModelFileError: A file is missing or broken, or the parts do not fit.
    """
    taken = read_input(load_description(path), path)
    return bare_bundle(path, recipe=recipe, labels=labels, size=taken.size, layout=taken.layout)
