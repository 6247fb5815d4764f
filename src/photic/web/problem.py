"""Every error as RFC 9457 ``application/problem+json``, Litestar's own and bugs included."""

import logging
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from photic.errors import RequestError, UnsupportedEncoding
from photic.web.call import call_of
from photic.web.reply import Reply

__all__ = ["PROBLEM_JSON", "Problem", "exception_handlers", "problem_of", "problem_reply"]

PROBLEM_JSON: Final = b"application/problem+json"

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_CODES: Final = {404: "not_found", 405: "method_not_allowed", 500: "internal"}


class Problem(Struct, frozen=True, kw_only=True):
    """An error for programs (``code``) and people (``title``, ``detail``)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str


def problem_of(error: Exception, request_id: str) -> Problem:
    """What a client is told about an error.

    An error that Photic did not raise on purpose is logged here, once and with its traceback; the
    client learns only the request's id.
    """
    if isinstance(error, RequestError):
        if error.http_status == HTTPStatus.INTERNAL_SERVER_ERROR:
            _log.error("request %s: %s: %s", request_id, error.code, error)
        return _problem(error.http_status, error.code, error.title, error.detail, request_id)
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        code = _CODES.get(status, "bad_request")
        return _problem(status, code, status.phrase, error.detail, request_id)
    _log.error("request %s: unexpected %r", request_id, error, exc_info=error)
    detail = f"an unexpected error; the server's log has more under the request id {request_id}"
    return _problem(500, "internal", RequestError.title, detail, request_id)


def problem_reply(error: Exception, request_id: str) -> Reply:
    """The whole answer to a request that failed with ``error``."""
    problem = problem_of(error, request_id)
    reply = Reply(problem.status, PROBLEM_JSON, _encode(problem))
    if isinstance(error, RequestError) and error.retry_after is not None:
        reply.headers.append((b"retry-after", b"%d" % error.retry_after))
    if isinstance(error, UnsupportedEncoding):
        reply.headers.append((b"accept-encoding", b"identity"))
    if isinstance(error, HTTPException) and error.headers:
        reply.headers += [(k.lower().encode(), v.encode()) for k, v in error.headers.items()]
    return reply


def exception_handlers() -> ExceptionHandlersMap:
    """For Litestar: all exceptions become problems."""
    return {Exception: _respond}


def _respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    if isinstance(error, NotFoundException):
        error.detail = f"there is nothing at {request.scope['path'][:100]!r}; /docs lists the paths"
    if isinstance(error, MethodNotAllowedException) and error.headers:
        allowed = sorted(_with_head(error.headers["allow"].split(", ")))
        error.headers = {"allow": ", ".join(allowed)}
        error.detail = f"{request.scope['method']} is not allowed here; {', '.join(allowed)} are"
    reply = problem_reply(error, call_of(request.scope).request_id)
    return Response(
        reply.body,
        status_code=reply.status,
        media_type=reply.media_type.decode(),
        headers={name.decode(): value.decode() for name, value in reply.headers},
    )


def _with_head(methods: list[str]) -> list[str]:
    """Whatever answers GET answers HEAD (see Envelope)."""
    return [*methods, "HEAD"] if "GET" in methods else methods


def _problem(status: int, code: str, title: str, detail: str, request_id: str) -> Problem:
    return Problem(
        type=f"urn:photic:problem:{code}",
        title=title,
        status=int(status),
        code=code,
        detail=detail,
        request_id=request_id,
    )
