"""``POST …/predict``: from the headers to the answer, on the event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

import msgspec
from litestar.types import Receive, Scope, Send

from photic.errors import ImageError, Unavailable
from photic.serving.admission import Ticket
from photic.serving.answer import Answer
from photic.serving.service import InferenceService
from photic.settings import BodySettings
from photic.stages import Stage, Timeline
from photic.telemetry.server_timing import server_timing
from photic.web.body import BodyReader, TimeLimit
from photic.web.call import Call, call_of
from photic.web.disconnect import unless_client_leaves
from photic.web.form_hint import is_form, with_form_hint
from photic.web.lingering import Lingering
from photic.web.multipart import ImagePart, MultipartImages, is_multipart
from photic.web.order import Order, OrderReader
from photic.web.problem import problem_reply
from photic.web.raw_body import RawBody
from photic.web.reply import JSON, Reply, send_reply
from photic.web.results import collect, common_status
from photic.web.uploads import Uploads

__all__ = ["PredictEndpoint"]

_encode = msgspec.json.Encoder().encode


class PredictEndpoint:
    """The predict routes as one ASGI application.

    It is reached before the body is read, and reads it itself: admission is decided on the headers,
    and Litestar's own body, which always copies, stays unused.
    """

    def __init__(
        self,
        service: InferenceService,
        orders: OrderReader,
        settings: BodySettings,
        lingering: Lingering,
    ) -> None:
        self._service = service
        self._orders = orders
        self._settings = settings
        self._lingering = lingering
        self._uploads = Uploads(service.admission, stall_s=settings.stall_ms / 1e3)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one call."""
        timeline = Timeline(self._service.clock.now_ns())
        call = call_of(scope)
        body = BodyReader(receive, call.headers, max_bytes=self._settings.max_bytes)
        ticket: Ticket | None = None
        try:
            try:
                order, ticket = self._admit(scope, call, body, timeline)
                reply = await self._reply(order, call, body, ticket, timeline)
            except Exception as error:  # noqa: BLE001 -- a bug is answered and logged, too
                if isinstance(error, Unavailable):  # the batcher does not know when to come back
                    error.retry_after = self._service.admission.retry_after_s
                reply = problem_reply(error, call.request_id)
            reply.headers.append((b"server-timing", server_timing(timeline).encode()))
            await send_reply(send, reply)
        finally:
            if ticket is not None:
                ticket.release()
        await self._lingering.read_on(body, self._settings.linger_ms / 1e3)

    def _admit(
        self, scope: Scope, call: Call, body: BodyReader, timeline: Timeline
    ) -> tuple[Order, Ticket]:
        try:
            order = self._orders.read(scope, call, timeline.start_ns)
            body.check_headers()
            return order, self._uploads.admit(body)
        finally:
            self._end(timeline, Stage.ADMIT)

    async def _reply(
        self, order: Order, call: Call, body: BodyReader, ticket: Ticket, timeline: Timeline
    ) -> Reply:
        content_type = call.headers.get(b"content-type", b"").decode("latin-1")
        work: Coroutine[Any, Any, Reply]
        if is_multipart(content_type):
            form = MultipartImages(content_type, max_images=self._settings.max_images)
            await self._receive(order, body, form.write, ticket, timeline)
            work = self._predict_all(order, form.images(), timeline)
        else:
            raw = RawBody(body.announced)
            await self._receive(order, body, raw.write, ticket, timeline)
            work = self._predict_one(order, raw.whole(), timeline, from_form=is_form(content_type))
        return await unless_client_leaves(body.receive, work)

    async def _receive(
        self,
        order: Order,
        body: BodyReader,
        write: Callable[[bytes], object],
        ticket: Ticket,
        timeline: Timeline,
    ) -> None:
        # A request whose deadline passed need not arrive any more.
        limit = TimeLimit(order.seconds_left(self._service.clock.now_ns()), order.deadline_set_by)
        if limit.seconds > self._settings.timeout_ms / 1e3:
            limit = TimeLimit(self._settings.timeout_ms / 1e3, "body.timeout_ms")
        try:
            await self._uploads.read(body, write, ticket, limit)
        finally:
            self._end(timeline, Stage.RECEIVE)

    async def _predict_one(
        self, order: Order, image: bytes | bytearray, timeline: Timeline, *, from_form: bool
    ) -> Reply:
        try:
            answer = await self._service.predict(order.engine, order.request(image, timeline))
        except ImageError as error:
            if not from_form:
                raise
            raise with_form_hint(error, image) from None
        return Reply(HTTPStatus.OK, JSON, _encode(answer))

    async def _predict_all(
        self, order: Order, images: list[ImagePart], timeline: Timeline
    ) -> Reply:
        """All images of one upload, submitted together so that they may form batches."""
        start_ns = self._service.clock.now_ns()
        requests = [order.request(image.data, Timeline(start_ns)) for image in images]
        outcomes = await asyncio.gather(
            *(self._service.predict(order.engine, request) for request in requests),
            return_exceptions=True,
        )
        _adopt_slowest(timeline, [request.timeline for request in requests])
        named = [
            (image.name, _not_cancelled(outcome))
            for image, outcome in zip(images, outcomes, strict=True)
        ]
        results = collect(order.engine.bundle, order.request_id, named)
        return Reply(common_status(results), JSON, _encode(results))

    def _end(self, timeline: Timeline, stage: Stage) -> None:
        timeline.end(stage, self._service.clock.now_ns())


def _adopt_slowest(timeline: Timeline, parts: list[Timeline]) -> None:
    """Give the upload the stages of the image that was ready last."""
    slowest = max(parts, key=lambda part: sum(ns for _, ns in part.durations_ns()))
    end_ns = slowest.start_ns
    for stage, duration_ns in slowest.durations_ns():
        end_ns += duration_ns
        timeline.end(stage, end_ns)


def _not_cancelled(outcome: Answer | BaseException) -> Answer | Exception:
    if isinstance(outcome, Answer | Exception):
        return outcome
    raise outcome
