"""What one call to a predict route wants, known from its path, query and headers alone."""

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from photic.errors import BadRequest, ModelNotFound
from photic.serving.request import InferenceRequest
from photic.serving.service import InferenceService
from photic.settings import AdmissionSettings
from photic.stages import Timeline
from photic.web.call import MAX_SHOWN, Call
from photic.web.parameters import natural_number, requested_timeout, requested_top_k

if TYPE_CHECKING:
    from photic.serving.engine import Engine

__all__ = ["Order", "OrderReader"]

_NS_PER_S: Final = 1_000_000_000


class Order(Struct):
    """Which model is to answer what, and until when (on the service's clock).

    ``deadline_set_by`` names the setting or header that the deadline comes from.
    """

    engine: "Engine"
    request_id: str
    top_k: int
    deadline_ns: int
    deadline_set_by: str

    def request(self, image: bytes | bytearray, timeline: Timeline) -> InferenceRequest:
        """The request for one image."""
        return InferenceRequest(
            image=image,
            request_id=self.request_id,
            top_k=self.top_k,
            deadline_ns=self.deadline_ns,
            timeline=timeline,
        )

    def seconds_left(self, now_ns: int) -> float:
        """Seconds to the deadline; not below 0."""
        return max(0, self.deadline_ns - now_ns) / _NS_PER_S


class OrderReader:
    """Reads orders.

    Args:
        service: Knows the models.
        top_k: Predictions in an answer when the call does not say.
        admission: How long a request may take, by default and at most.
    """

    def __init__(
        self, service: InferenceService, *, top_k: int, admission: AdmissionSettings
    ) -> None:
        self._service = service
        self._top_k = top_k
        self._admission = admission

    def read(self, scope: Any, call: Call, start_ns: int) -> Order:
        """The order of a call that began at ``start_ns``.

        Raises:
            ModelNotFound: The path names no served model.
            BadRequest: A parameter is unknown, malformed or out of its range.
        """
        engine = self._engine(scope["path_params"])
        top_k = self._requested_top_k(engine, scope["query_string"])
        timeout = requested_timeout(call.headers.get(b"x-request-timeout-ms"), self._admission)
        return Order(
            engine=engine,
            request_id=call.request_id,
            top_k=top_k,
            deadline_ns=start_ns + timeout.ns,
            deadline_set_by=timeout.set_by,
        )

    def _engine(self, path: dict[str, str]) -> "Engine":
        version = path.get("version")
        if version is None:
            return self._service.engine(path.get("model"))
        number = natural_number(version)
        if number is None:
            raise ModelNotFound(f"a version is a whole number, not {version[:MAX_SHOWN]!r}")
        return self._service.engine(path["model"], number)

    def _requested_top_k(self, engine: "Engine", query_string: bytes) -> int:
        wanted = requested_top_k(query_string)
        if wanted is None:
            return min(self._top_k, engine.classes or self._top_k)
        if not engine.classes:
            raise BadRequest(f"{engine.bundle.name} names no classes: it takes no 'top_k'")
        number = natural_number(wanted)
        if number is None:
            shown = wanted[:MAX_SHOWN]
            raise BadRequest(
                f"top_k must be a whole number from 1 to {engine.classes}, not {shown!r}"
            )
        return engine.check_top_k(number)
