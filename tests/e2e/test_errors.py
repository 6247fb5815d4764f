"""Every error is a problem+json with the right status and code, and says what to do."""

import gzip
import io

import httpx
import numpy as np
import pytest
from PIL import Image

from raw_http import RawConnection
from running_server import HOLDS_REQUESTS, RunningServer

CAT = "photos of cats"


def problem(response: httpx.Response, status: int, code: str) -> str:
    """Check an error answer; its detail."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert set(body) == {"type", "title", "status", "code", "detail", "request_id"}
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"urn:photic:problem:{code}"
    assert body["request_id"] == response.headers["x-request-id"]
    assert body["title"]
    return body["detail"]


def test_unknown_model(client):
    detail = problem(client.post("/v1/models/resnet/predict"), 404, "model_not_found")
    assert "efficientnet-lite0" in detail


def test_unknown_version(client):
    response = client.post("/v1/models/efficientnet-lite0/versions/2/predict")
    assert "it has: 1" in problem(response, 404, "model_not_found")


def test_unknown_path(client):
    assert "/docs" in problem(client.post("/predict"), 404, "not_found")


def test_wrong_method(client):
    response = client.get("/v1/predict")
    assert "POST" in problem(response, 405, "method_not_allowed")
    assert "POST" in response.headers["allow"]


def test_empty_body(client):
    assert problem(client.post("/v1/predict"), 400, "empty")
    assert problem(client.post("/v1/predict", content=iter([b""])), 400, "empty")


@pytest.mark.parametrize("top_k", ["0", "1001", "-1", "many", "9" * 26])
def test_top_k_out_of_range(client, jpegs, top_k):
    response = client.post(f"/v1/predict?top_k={top_k}", content=jpegs["coffee"])
    detail = problem(response, 400, "bad_request")
    assert top_k in detail
    assert "from 1 to 1000" in detail


def test_a_version_of_any_length(client):
    response = client.post(f"/v1/models/efficientnet-lite0/versions/{'9' * 26}/predict")
    assert "has no version 99999" in problem(response, 404, "model_not_found")


def test_a_timeout_of_any_length_counts_as_the_longest(client, jpegs):
    headers = {"x-request-timeout-ms": "999999999999999"}
    assert client.post("/v1/predict", content=jpegs["coffee"], headers=headers).status_code == 200


def test_the_query_is_utf_8(running):
    with RawConnection(running.address) as connection:
        head = "POST /v1/predict?größe=3 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        connection.send(head.encode())
        status, _, body = connection.answer(b"POST")
    assert (status, "'größe'" in body.decode()) == (400, True)


def test_unknown_parameter(client, jpegs):
    response = client.post("/v1/predict?topk=1", content=jpegs["coffee"])
    assert "'topk'" in problem(response, 400, "bad_request")


def test_malformed_timeout(client, jpegs):
    headers = {"x-request-timeout-ms": "2s"}
    response = client.post("/v1/predict", content=jpegs["coffee"], headers=headers)
    assert "X-Request-Timeout-Ms" in problem(response, 400, "bad_request")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"hello, world", "text"),
        (b'{"image": "..."}', "JSON"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"<html><body></body></html>", "HTML"),
        (b"image=%FF%D8%FF&top_k=5", "--data-binary"),
        (b"/9j/4AAQSkZJRgABAQ" * 20, "base64"),
        (b"data:image/jpeg;base64,/9j/4AAQSkZJRg", "data"),
        (gzip.compress(b"x" * 100), "gzip"),
    ],
)
def test_not_an_image(client, body, says):
    detail = problem(client.post("/v1/predict", content=body), 415, "not_jpeg")
    assert says.lower() in detail.lower()


def test_curl_d_strips_bytes_and_is_told_so(client, jpegs):
    stripped = jpegs["coffee"].translate(None, b"\r\n\0")  # what curl -d @photo.jpg sends
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = client.post("/v1/predict", content=stripped, headers=headers)
    assert response.status_code == 422
    assert "curl --data-binary keeps them" in response.json()["detail"]
    whole = client.post("/v1/predict", content=jpegs["coffee"], headers=headers)
    assert whole.status_code == 200


def test_compressed_body(client, jpegs):
    headers = {"content-encoding": "gzip"}
    body = gzip.compress(jpegs["coffee"])
    response = client.post("/v1/predict", content=body, headers=headers)
    assert "'gzip'" in problem(response, 415, "unsupported_encoding")
    assert response.headers["accept-encoding"] == "identity"


def test_truncated(client, jpegs):
    half = jpegs["coffee"][: len(jpegs["coffee"]) // 2]
    problem(client.post("/v1/predict", content=half), 422, "truncated")


def test_too_many_pixels(client):
    file = io.BytesIO()
    Image.fromarray(np.zeros((8_000, 8_000), np.uint8)).save(file, "JPEG")
    response = client.post("/v1/predict", content=file.getvalue())
    assert "50000000" in problem(response, 422, "too_many_pixels").replace(",", "")


def test_errors_carry_server_timing_and_the_connection_stays(client, jpegs):
    response = client.post("/v1/predict", content=jpegs["coffee"][:100])
    assert "decode;dur=" in response.headers["server-timing"]
    assert "connection" not in response.headers


@pytest.fixture(scope="module")
def small():
    """A server with tight limits."""
    with RunningServer(
        *HOLDS_REQUESTS,
        "--max-body-bytes",
        "200000",
        "--set",
        "body.timeout_ms=300",
        "--set",
        "body.linger_ms=200",
    ) as server:
        yield server
        assert server.stop() == 0


def test_body_too_large_by_its_content_length(small):
    response = httpx.post(f"{small.url}/v1/predict", content=b"x" * 200_001)
    detail = problem(response, 413, "body_too_large")
    assert "200001" in detail
    assert "200000" in detail


def test_body_too_large_and_chunked(small):
    response = httpx.post(f"{small.url}/v1/predict", content=iter([b"x" * 50_000] * 100))
    assert "limit is 200000" in problem(response, 413, "body_too_large")


def test_the_deadline_passes(small, jpegs):
    """The answer comes at the deadline, not when the request would have been computed."""
    headers = {"x-request-timeout-ms": "1"}
    statuses = set()
    for _ in range(20):
        response = httpx.post(f"{small.url}/v1/predict", content=jpegs["coffee"], headers=headers)
        statuses.add((response.status_code, response.json()["code"]))
    assert statuses <= {(504, "deadline_exceeded"), (408, "body_timeout")}
    assert (504, "deadline_exceeded") in statuses
