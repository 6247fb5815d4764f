"""The main job: a JPEG in, the right label out."""

import concurrent.futures

import httpx
import pytest

from photic.serving.answer import Answer

INDICES = {"chelsea": 282, "coffee": 967, "rocket": 657, "china": 698, "flower": 985}
STAGES = ["admit", "receive", "queue", "decode", "batch_wait", "infer", "postprocess"]


@pytest.mark.parametrize("name", INDICES)
def test_the_right_label(client, jpegs, name):
    response = client.post("/v1/predict", content=jpegs[name])
    assert response.status_code == 200
    answer = response.json()
    assert answer["model"] == "efficientnet-lite0"
    assert answer["version"] == 1
    assert answer["variant"] == "fp32"
    scores = [entry["score"] for entry in answer["predictions"]]
    assert answer["predictions"][0]["index"] == INDICES[name]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 5


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "image/jpeg",
        "image/png",
        "application/octet-stream",
        "application/x-www-form-urlencoded",
    ],
)
def test_the_bytes_tell_the_format(client, jpegs, content_type):
    """``curl --data-binary`` without a header says application/x-www-form-urlencoded."""
    headers = {} if content_type is None else {"content-type": content_type}
    response = client.post("/v1/predict", content=jpegs["coffee"], headers=headers)
    assert response.json()["predictions"][0]["index"] == INDICES["coffee"]


def test_a_chunked_upload_gives_the_same_answer(client, jpegs):
    data = jpegs["rocket"]
    pieces = (data[i : i + 7_001] for i in range(0, len(data), 7_001))
    chunked = client.post("/v1/predict", content=pieces)
    assert "content-length" not in chunked.request.headers
    whole = client.post("/v1/predict", content=data)
    assert chunked.json()["predictions"] == whole.json()["predictions"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/models/efficientnet-lite0/predict",
        "/v1/models/efficientnet-lite0/versions/1/predict",
        "/v1/predict/",
    ],
)
def test_all_paths_lead_to_the_model(client, jpegs, path):
    response = client.post(path, content=jpegs["china"])
    assert response.json()["predictions"][0]["index"] == INDICES["china"]


@pytest.mark.parametrize("top_k", [1, 3, 1_000])
def test_top_k(client, jpegs, top_k):
    response = client.post(f"/v1/predict?top_k={top_k}", content=jpegs["flower"])
    predictions = response.json()["predictions"]
    assert len(predictions) == top_k
    assert sum(entry["score"] for entry in predictions) <= 1.0 + 1e-4
    if top_k == 1_000:
        assert sum(entry["score"] for entry in predictions) == pytest.approx(1.0, abs=1e-4)


def test_headers(client, jpegs):
    response = client.post(
        "/v1/predict", content=jpegs["coffee"], headers={"x-request-id": "trace-7"}
    )
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-request-id"] == response.json()["request_id"] == "trace-7"
    timing = dict(entry.split(";dur=") for entry in response.headers["server-timing"].split(", "))
    assert list(timing) == STAGES
    assert 0 < sum(map(float, timing.values())) <= response.elapsed.total_seconds() * 1_000


def test_the_answer_is_the_documented_struct(client, jpegs):
    answer = client.post("/v1/predict", content=jpegs["coffee"]).json()
    assert set(answer) == set(Answer.__struct_fields__) - {"embedding"}


def test_one_connection_serves_good_and_bad_in_turn(client, jpegs):
    for _ in range(3):
        assert client.post("/v1/predict", content=jpegs["coffee"]).status_code == 200
        assert client.post("/v1/predict", content=b"text").status_code == 415
        assert client.get("/nope").status_code == 404


def test_many_clients_get_their_own_answers(server, jpegs):
    """Bug report B08: with batches and threads, each must get its own."""
    names = list(INDICES) * 8

    def ask(name: str) -> int:
        return httpx.post(f"{server}/v1/predict", content=jpegs[name], timeout=30).json()[
            "predictions"
        ][0]["index"]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, names)) == [INDICES[name] for name in names]
