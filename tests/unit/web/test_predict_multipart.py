"""The predict routes with multipart bodies, without threads or models."""

import asyncio

import msgspec

from asgi_call import call, fetch
from photic.errors import ImageError
from photic.settings import BodySettings
from photic.web.results import Results

FORM = {"content-type": "multipart/form-data; boundary=b"}
ALL_STAGES = ["admit", "receive", "queue", "decode", "batch_wait", "infer", "postprocess"]


def form(*files: tuple[str, bytes]) -> bytes:
    parts = (
        b'--b\r\nContent-Disposition: form-data; name="image"; filename="%s"\r\n\r\n%s\r\n'
        % (name.encode(), data)
        for name, data in files
    )
    return b"".join(parts) + b"--b--\r\n"


def upload(s, *files):
    return fetch(s.app, "POST", "/v1/predict", body=form(*files), headers=FORM)


def test_results_in_order(serving):
    s = serving()
    s.service.outcomes[b"2"] = ImageError("bad one", code="truncated")
    reply = upload(s, ("a.jpg", b"1"), ("b.jpg", b"2"), ("c.jpg", b"3"))
    assert reply.status == 200
    results = msgspec.json.decode(reply.body, type=Results, strict=True)
    assert (results.model, results.version, results.variant) == ("first", 2, "fp32")
    assert results.request_id == reply.headers["x-request-id"]
    assert [result.name for result in results.results] == ["a.jpg", "b.jpg", "c.jpg"]
    good, bad, _ = results.results
    assert len(good.predictions) == 5
    assert good.error is msgspec.UNSET
    assert (bad.error.status, bad.error.code, bad.error.detail) == (422, "truncated", "bad one")
    assert bad.predictions is msgspec.UNSET


def test_one_image_gives_results_too(serving):
    assert len(upload(serving(), ("a.jpg", b"1")).json()["results"]) == 1


def test_images_are_submitted_together(serving):
    s = serving()

    async def run():
        s.service.busy = asyncio.Event()
        files = [(f"{i}", b"%d" % i) for i in range(16)]
        task = asyncio.create_task(
            call(s.app, "POST", "/v1/predict", body=form(*files), headers=FORM)
        )
        await s.service.received(16)
        s.service.busy.set()
        assert (await task).status == 200

    asyncio.run(run())


def test_when_all_fail_the_status_says_so(serving):
    s = serving()
    s.service.outcomes[b"1"] = ImageError("d", code="not_jpeg")
    s.service.outcomes[b"2"] = ImageError("d", code="truncated")
    assert upload(s, ("a", b"1")).status == 415
    both = upload(s, ("a", b"1"), ("b", b"2"))
    assert both.status == 422
    assert [r["error"]["status"] for r in both.json()["results"]] == [415, 422]


def test_a_bug_in_one_part_spares_the_others(serving):
    s = serving()
    s.service.outcomes[b"1"] = ZeroDivisionError("secret")
    bad, good = upload(s, ("a", b"1"), ("b", b"2")).json()["results"]
    assert bad["error"]["code"] == "internal"
    assert "secret" not in bad["error"]["detail"]
    assert len(good["predictions"]) == 5


def test_too_many_images(serving):
    s = serving(body=BodySettings(max_images=2))
    reply = upload(s, ("a", b"1"), ("b", b"2"), ("c", b"3"))
    assert (reply.status, reply.json()["code"]) == (413, "too_many_images")
    assert s.service.requests == []


def test_broken_framing(serving):
    reply = fetch(serving().app, "POST", "/v1/predict", body=b"junk", headers=FORM)
    assert (reply.status, reply.json()["code"]) == (400, "bad_multipart")


def test_server_timing_is_that_of_the_slowest_image(serving):
    reply = upload(serving(), ("a", b"1"), ("b", b"2"))
    timing = reply.headers["server-timing"].split(", ")
    assert [entry.split(";")[0] for entry in timing] == ALL_STAGES
