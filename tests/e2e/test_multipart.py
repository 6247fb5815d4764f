"""Many images in one request."""

import pytest

INDICES = {"chelsea": 282, "coffee": 967, "rocket": 657, "china": 698, "flower": 985}
PATIENT = {"x-request-timeout-ms": "30000"}


def upload(client, *files, **options):
    parts = [("image", (name, data, "image/jpeg")) for name, data in files]
    return client.post("/v1/predict", files=parts, headers=PATIENT, **options)


def test_one_image(client, jpegs):
    response = upload(client, ("cat.jpg", jpegs["chelsea"]))
    assert response.status_code == 200
    [result] = response.json()["results"]
    assert result["name"] == "cat.jpg"
    assert result["predictions"][0]["index"] == 282


def test_many_images_in_order(client, jpegs):
    response = upload(client, *jpegs.items())
    answer = response.json()
    assert answer["model"] == "efficientnet-lite0"
    assert answer["request_id"] == response.headers["x-request-id"]
    top = {result["name"]: result["predictions"][0]["index"] for result in answer["results"]}
    assert top == INDICES
    assert list(top) == list(jpegs)


def test_a_corrupt_one_leaves_its_neighbours_alone(client, jpegs):
    alone = client.post("/v1/predict", content=jpegs["coffee"]).json()["predictions"]
    truncated = jpegs["rocket"][: len(jpegs["rocket"]) // 2]
    response = upload(
        client,
        ("1", jpegs["coffee"]),
        ("2", truncated),
        ("3", b""),
        ("4", b"hello"),
        ("5", jpegs["coffee"]),
    )
    assert response.status_code == 200
    results = response.json()["results"]
    assert results[0]["predictions"] == results[4]["predictions"] == alone
    errors = [result["error"] for result in results[1:4]]
    assert [(error["status"], error["code"]) for error in errors] == [
        (422, "truncated"),
        (400, "empty"),
        (415, "not_jpeg"),
    ]
    assert all(error["request_id"] == response.headers["x-request-id"] for error in errors)


@pytest.mark.parametrize(
    ("files", "status"), [([b"a"], 415), ([b"a", b"b"], 415), ([b"a", b""], 422)]
)
def test_when_all_fail_the_status_says_so(client, files, status):
    response = upload(client, *[(str(i), data) for i, data in enumerate(files)])
    assert response.status_code == status
    assert all("error" in result for result in response.json()["results"])


def test_top_k_is_for_all(client, jpegs):
    response = upload(client, *jpegs.items(), params={"top_k": 2})
    assert [len(result["predictions"]) for result in response.json()["results"]] == [2] * 5


def test_a_file_name_that_is_not_utf_8_spares_its_neighbours(client, jpegs):
    request = client.build_request(
        "POST",
        "/v1/predict?top_k=1",
        files=[("image", (name, jpegs[name], "image/jpeg")) for name in ("coffee", "rocket")],
        headers=PATIENT,
    )
    body = request.read().replace(b'"rocket"', b'"r\xf6cket"')
    headers = {"content-type": request.headers["content-type"], **PATIENT}
    response = client.post("/v1/predict?top_k=1", content=body, headers=headers)
    assert response.status_code == 200
    results = response.json()["results"]
    assert [result["name"] for result in results] == ["coffee", "r\ufffdcket"]
    indices = [result["predictions"][0]["index"] for result in results]
    assert indices == [INDICES["coffee"], INDICES["rocket"]]


def test_sixteen_images_but_not_seventeen(client, jpegs):
    files = [(str(i), jpegs["coffee"]) for i in range(17)]
    assert len(upload(client, *files[:16]).json()["results"]) == 16
    refused = upload(client, *files)
    assert (refused.status_code, refused.json()["code"]) == (413, "too_many_images")
    assert "limit is 16" in refused.json()["detail"]


def test_a_form_field_is_refused_by_name(client, jpegs):
    files = {"image": jpegs["coffee"]}
    response = client.post("/v1/predict", data={"top_k": "3"}, files=files)
    assert (response.status_code, response.json()["code"]) == (400, "bad_multipart")
    assert "'top_k'" in response.json()["detail"]


def test_broken_framing(client):
    response = client.post(
        "/v1/predict",
        content=b"--b\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\nabc",
        headers={"content-type": "multipart/form-data; boundary=b"},
    )
    assert (response.status_code, response.json()["code"]) == (400, "bad_multipart")
    assert "Unexpected end" in response.json()["detail"]
