"""Every upload of the corpus through a real server: its status, in time, neighbours unharmed."""

import httpx
import pytest

from corpus.policy import OK, permitted
from corpus.uploads import UPLOADS, each_upload
from photic.errors import IMAGE_STATUS

SECONDS = 2.0
NEIGHBOURS = 14
"""Uploads in one multipart body, between two good photos: 16 images are the limit."""

GROUPS = [UPLOADS[first : first + NEIGHBOURS] for first in range(0, len(UPLOADS), NEIGHBOURS)]


@pytest.fixture(scope="module")
def client(server):
    with httpx.Client(base_url=server, timeout=30) as client:
        yield client


def statuses(upload) -> set[int]:
    return {200 if word == OK else IMAGE_STATUS[word] for word in permitted(upload)}


@each_upload
def test_alone(client, upload):
    response = client.post("/v1/predict", content=upload.data)
    assert response.status_code in statuses(upload), response.text
    assert response.elapsed.total_seconds() < SECONDS
    body = response.json()
    if response.status_code == 200:
        assert len(body["predictions"]) == 5
        return
    assert response.headers["content-type"] == "application/problem+json"
    assert body["code"] in permitted(upload)
    assert body["status"] == response.status_code
    assert body["detail"]
    assert body["request_id"]


@pytest.mark.parametrize("uploads", GROUPS, ids=lambda group: group[0].name)
def test_among_good_neighbours(client, chelsea_jpeg, uploads):
    alone = client.post("/v1/predict", content=chelsea_jpeg).json()["predictions"]
    names = ["first", *(upload.name for upload in uploads), "last"]
    images = [chelsea_jpeg, *(upload.data for upload in uploads), chelsea_jpeg]
    files = [("image", (n, data, "image/jpeg")) for n, data in zip(names, images, strict=True)]
    response = client.post("/v1/predict", files=files, headers={"X-Request-Timeout-Ms": "30000"})
    assert response.status_code == 200, response.text
    first, *results, last = response.json()["results"]
    assert first["predictions"] == alone
    assert last["predictions"] == alone
    for upload, result in zip(uploads, results, strict=True):
        word = OK if "predictions" in result else result["error"]["code"]
        assert word in permitted(upload), (upload.name, result)


def test_the_comment_of_an_upload_is_never_shown(client):
    for upload in UPLOADS:
        if upload.kind == "polyglot":
            text = client.post("/v1/predict", content=upload.data).text
            assert "<" not in text
