"""One request's life, as the threads that touch it share it."""

import asyncio
import concurrent.futures
from typing import TYPE_CHECKING, Any

from photic.serving.answer import Answer
from photic.stages import Timeline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Buffer

__all__ = ["AnswerFuture", "InferenceRequest"]

AnswerFuture = asyncio.Future[Answer] | concurrent.futures.Future[Answer]


class InferenceRequest:
    """One image on its way to an answer.

    Args:
        image: The bytes of a file, or pixels, [height, width, 3] uint8 RGB. Not copied: whoever
            passes it leaves it alone until the answer is there.
        request_id: Comes back in the answer.
        top_k: How many classes to name.
        deadline_ns: On the service's clock; no work begins after it.
        timeline: Its stages so far.

    Attributes:
        abandoned: Nobody waits for the answer any more. Set once, by the waiting side; workers
            read it before each stage.
        future: Where the answer goes; the service sets it.
    """

    __slots__ = ("abandoned", "deadline_ns", "future", "image", "request_id", "timeline", "top_k")

    def __init__(
        self,
        *,
        image: "Buffer | NDArray[np.uint8]",
        request_id: str,
        top_k: int,
        deadline_ns: int,
        timeline: Timeline,
    ) -> None:
        self.image: Buffer | NDArray[Any] = image
        self.request_id = request_id
        self.top_k = top_k
        self.deadline_ns = deadline_ns
        self.timeline = timeline
        self.abandoned = False
        self.future: AnswerFuture | None = None

    def abandon(self) -> None:
        """Nobody waits any more: workers drop it, and the body's memory is free at once."""
        self.abandoned = True
        self.image = b""
