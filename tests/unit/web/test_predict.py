"""The predict routes, from the headers to the answer, without threads or models."""

import asyncio

import msgspec
import pytest

from asgi_call import DISCONNECT, Body, call, fetch
from photic.errors import DeadlineExceeded, ImageError, InferenceFailed, Unavailable
from photic.serving.answer import Answer
from photic.settings import AdmissionSettings, BodySettings, ModelSettings

JPEG = b"\xff\xd8 not decoded here"
FORM = {"content-type": "multipart/form-data; boundary=b"}


def form(*files: tuple[str, bytes]) -> bytes:
    parts = (
        b'--b\r\nContent-Disposition: form-data; name="image"; filename="%s"\r\n\r\n%s\r\n'
        % (name.encode(), data)
        for name, data in files
    )
    return b"".join(parts) + b"--b--\r\n"


def post(serving, target="/v1/predict", **options):
    options.setdefault("body", JPEG)
    return fetch(serving.app, "POST", target, **options)


def stages(reply) -> list[str]:
    return [entry.split(";")[0] for entry in reply.headers["server-timing"].split(", ")]


ALL_STAGES = ["admit", "receive", "queue", "decode", "batch_wait", "infer", "postprocess"]


def test_an_answer(serving):
    s = serving()
    reply = post(s, headers={"x-request-id": "abc"})
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["content-length"] == str(len(reply.body))
    assert reply.headers["x-request-id"] == "abc"
    assert stages(reply) == ALL_STAGES
    answer = msgspec.json.decode(reply.body, type=Answer, strict=True)
    assert (answer.model, answer.version, answer.request_id) == ("first", 2, "abc")
    assert len(answer.predictions) == 5
    assert s.service.requests[0].image == JPEG


def test_a_503_of_the_batcher_says_when_to_come_back_too(serving):
    s = serving()
    s.service.outcomes[JPEG] = Unavailable("the worker threads gave up")
    reply = post(s)
    assert (reply.status, reply.headers["retry-after"]) == (503, "1")


@pytest.mark.parametrize(
    ("target", "model", "version"),
    [
        ("/v1/predict", "first", 2),
        ("/v1/models/first/predict", "first", 2),
        ("/v1/models/first/versions/1/predict", "first", 1),
        ("/v1/models/second/predict", "second", 1),
    ],
)
def test_the_path_names_the_model(serving, target, model, version):
    answer = post(serving(), target).json()
    assert (answer["model"], answer["version"]) == (model, version)


@pytest.mark.parametrize(
    "target",
    [
        "/v1/models/third/predict",
        "/v1/models/first/versions/3/predict",
        "/v1/models/first/versions/one/predict",
        "/v1/models/first/versions/-1/predict",
        "/v1/models/first/versions/" + "9" * 5_000 + "/predict",
    ],
)
def test_unknown_models_and_versions(serving, target):
    reply = post(serving(), target)
    assert (reply.status, reply.json()["code"]) == (404, "model_not_found")
    assert stages(reply) == ["admit"]


@pytest.mark.parametrize(("query", "count"), [("", 5), ("?top_k=1", 1), ("?top_k=10", 10)])
def test_top_k(serving, query, count):
    assert len(post(serving(), "/v1/predict" + query).json()["predictions"]) == count


def test_the_default_top_k_is_at_most_the_number_of_classes(serving):
    s = serving(models=ModelSettings(top_k=50))
    assert len(post(s).json()["predictions"]) == 10


@pytest.mark.parametrize("top_k", ["0", "11", "9" * 26])
def test_top_k_out_of_range_names_the_range_and_the_value(serving, top_k):
    reply = post(serving(), f"/v1/predict?top_k={top_k}")
    assert reply.status == 400
    assert reply.json()["detail"] == f"top_k is {top_k}; it must be from 1 to 10"


@pytest.mark.parametrize("top_k", ["-1", "five", "", "1_0", "x" * 5_000])
def test_top_k_that_is_no_number_is_told_the_range(serving, top_k):
    reply = post(serving(), f"/v1/predict?top_k={top_k}")
    assert reply.status == 400
    says = f"top_k must be a whole number from 1 to 10, not {top_k[:40]!r}"
    assert reply.json()["detail"] == says


def test_a_model_without_classes_takes_no_top_k(serving):
    s = serving()
    embedding = s.service.engine("second")
    embedding.classes = 0
    s.service.engine = lambda *_: embedding
    assert post(s).status == 200
    for value in ("3", "many"):
        reply = post(s, f"/v1/predict?top_k={value}")
        assert (reply.status, reply.json()["code"]) == (400, "bad_request")
        assert reply.json()["detail"] == "second names no classes: it takes no 'top_k'"


def test_a_version_of_any_length_is_a_number(serving):
    reply = post(serving(), f"/v1/models/first/versions/{'9' * 26}/predict")
    assert "9" * 26 + "; there are" in reply.json()["detail"]


FORM_FIELDS = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("code", ["bad_structure", "no_image", "not_jpeg", "truncated"])
def test_curl_d_is_told_what_it_does_to_images(serving, code):
    s = serving()
    s.service.outcomes[JPEG] = ImageError("broken", code=code)
    refused = post(s, headers=FORM_FIELDS).json()
    assert refused["code"] == code
    assert refused["detail"].startswith("broken; ")
    assert "curl --data-binary" in refused["detail"]
    assert post(s, headers={"content-type": "image/jpeg"}).json()["detail"] == "broken"


def test_only_refused_images_are_told_so(serving):
    s = serving()
    s.service.outcomes[JPEG] = DeadlineExceeded("late")
    assert post(s, headers=FORM_FIELDS).json()["detail"] == "late"


@pytest.mark.parametrize(
    "content_type",
    ["image/jpeg", "application/x-www-form-urlencoded", "text/html", "multipart/mixed", "\xff;;"],
)
def test_the_content_type_of_a_raw_body_does_not_matter(serving, content_type):
    reply = post(serving(), headers={"content-type": content_type})
    assert reply.status == 200


def test_the_deadline_counts_from_the_headers(serving):
    s = serving(admission=AdmissionSettings(deadline_ms=700))
    begin_ns = s.service.clock.time_ns
    post(s)
    post(s, headers={"x-request-timeout-ms": "90"})
    first, second = s.service.requests
    assert first.deadline_ns - first.timeline.start_ns == 700_000_000
    assert second.deadline_ns - second.timeline.start_ns == 90_000_000
    assert first.timeline.start_ns == begin_ns + 1_000


def test_a_refusal_comes_before_the_body_is_read(serving):
    s = serving(body=BodySettings(linger_ms=0))
    for headers, status in (
        ({"x-request-timeout-ms": "soon"}, 400),
        ({"content-encoding": "gzip"}, 415),
        ({"content-length": "999999999"}, 413),
    ):
        body = Body(JPEG)
        reply = post(s, headers={"content-length": "20", **headers}, body=body)
        assert (reply.status, body.asked) == (status, 0)
    s.service.admission.drain()
    body = Body(JPEG)
    reply = post(s, headers={"content-length": "20"}, body=body)
    assert (reply.status, body.asked) == (503, 0)
    assert reply.headers["retry-after"] == "1"


def test_slots_are_taken_while_a_request_waits(serving):
    s = serving(admission=AdmissionSettings(max_in_flight=1), body=BodySettings(linger_ms=0))

    async def run():
        s.service.busy = asyncio.Event()
        first = asyncio.create_task(call(s.app, "POST", "/v1/predict", body=JPEG))
        await s.service.received(1)
        body = Body(JPEG)
        refused = await call(
            s.app, "POST", "/v1/predict", body=body, headers={"content-length": "20"}
        )
        assert (refused.status, body.asked) == (429, 0)
        assert refused.json()["code"] == "overloaded"
        assert refused.headers["retry-after"] == "1"
        s.service.busy.set()
        assert (await first).status == 200
        assert (await call(s.app, "POST", "/v1/predict", body=JPEG)).status == 200

    asyncio.run(run())
    assert (s.service.admission.in_flight, s.service.admission.in_flight_bytes) == (0, 0)


def test_bytes_in_flight_are_those_announced_or_those_that_came(serving):
    s = serving(admission=AdmissionSettings(max_in_flight_bytes=100))
    assert post(s, body=b"x" * 101).status == 429
    chunks = Body(b"x" * 60, b"x" * 60)
    reply = post(s, body=chunks, headers={"transfer-encoding": "chunked"})
    assert reply.status == 429
    assert (s.service.admission.in_flight, s.service.admission.in_flight_bytes) == (0, 0)


OUTCOMES = [
    (ImageError("d", code="truncated"), 422),
    (DeadlineExceeded("d"), 504),
    (InferenceFailed("d"), 500),
    (ZeroDivisionError("bug"), 500),
    (MemoryError(), 500),
]


@pytest.mark.parametrize(("error", "status"), OUTCOMES)
def test_errors_are_problems_and_give_their_slot_back(serving, error, status):
    s = serving()
    s.service.outcomes[JPEG] = error
    reply = post(s)
    assert reply.status == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == status
    assert reply.json()["request_id"] == reply.headers["x-request-id"]
    assert (s.service.admission.in_flight, s.service.admission.in_flight_bytes) == (0, 0)


def test_errors_have_server_timing(serving):
    s = serving()
    s.service.outcomes[JPEG] = ImageError("d", code="truncated")
    assert stages(post(s)) == ALL_STAGES
    short = Body(JPEG)
    assert stages(post(s, body=short, headers={"content-length": "999"})) == ["admit", "receive"]


def test_a_client_that_leaves_in_mid_body_gives_its_slot_back(serving):
    s = serving()
    post(s, body=Body(b"ab", DISCONNECT), headers={"content-length": "9"})
    assert s.service.requests == []
    assert s.service.admission.in_flight == 0


@pytest.mark.parametrize("multipart", [False, True])
def test_a_client_that_leaves_while_it_waits_cancels_its_request(serving, multipart):
    s = serving()
    data = form(("a", b"1"), ("b", b"2")) if multipart else JPEG

    async def run():
        s.service.busy, left = asyncio.Event(), asyncio.Event()
        headers = {"content-length": str(len(data)), **(FORM if multipart else {})}
        task = asyncio.create_task(
            call(s.app, "POST", "/v1/predict", body=Body(data, left), headers=headers)
        )
        await s.service.received(2 if multipart else 1)
        left.set()
        await task

    asyncio.run(run())
    assert s.service.cancelled == (2 if multipart else 1)
    assert s.service.admission.in_flight == 0


def test_a_body_that_does_not_come_in_time(serving):
    s = serving(body=BodySettings(timeout_ms=10))
    reply = post(s, body=Body(b"ab", ends=False), headers={"content-length": "9"})
    assert (reply.status, reply.json()["code"]) == (408, "body_timeout")
    assert "2 of 9 bytes" in reply.json()["detail"]
    assert reply.json()["detail"].endswith("; body.timeout_ms sets how long that may take")


def test_a_body_that_misses_the_requests_own_deadline(serving):
    headers = {"content-length": "9", "x-request-timeout-ms": "10"}
    reply = post(serving(), body=Body(b"ab", ends=False), headers=headers)
    assert reply.status == 408
    assert reply.json()["detail"].endswith("; X-Request-Timeout-Ms sets how long that may take")


def test_a_body_that_misses_the_default_deadline(serving):
    s = serving(admission=AdmissionSettings(deadline_ms=10))
    reply = post(s, body=Body(b"ab", ends=False), headers={"content-length": "9"})
    assert reply.status == 408
    assert reply.json()["detail"].endswith("; admission.deadline_ms sets how long that may take")
