"""The API describes itself: what the document says, the server does."""

import re

import httpx
import pytest


@pytest.fixture(scope="module")
def document(running):
    return httpx.get(f"{running.url}/openapi.json").json()


def test_the_page_needs_no_internet(client):
    page = client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert not re.search(r"https?://|src=|@import|url\(", page.text)


def test_every_get_operation_answers_as_described(client, document):
    for path, item in document["paths"].items():
        if "get" in item:
            response = client.get(path.replace("{model}", "efficientnet-lite0"))
            described = item["get"]["responses"][str(response.status_code)]["content"]
            assert response.status_code == 200
            assert response.headers["content-type"] in described


def test_answers_and_problems_have_the_described_fields(client, document, jpegs):
    schemas = document["components"]["schemas"]
    cases = {
        "Answer": client.post("/v1/predict", content=jpegs["coffee"]),
        "Results": client.post("/v1/predict", files={"image": jpegs["coffee"]}),
        "Problem": client.post("/v1/predict", content=b"text"),
        "ModelList": client.get("/v1/models"),
        "Model": client.get("/v1/models/efficientnet-lite0"),
        "Health": client.get("/health/ready"),
    }
    for name, response in cases.items():
        body = response.json()
        assert set(schemas[name]["required"]) <= set(body) <= set(schemas[name]["properties"])
        described = {"Problem": "application/problem+json"}.get(name, "application/json")
        assert response.headers["content-type"] == described


def test_every_problem_status_of_a_prediction_is_described(client, document, jpegs):
    described = document["paths"]["/v1/predict"]["post"]["responses"]
    for body, query in ((b"", ""), (b"text", ""), (jpegs["coffee"][:999], ""), (b"", "?top_k=0")):
        response = client.post(f"/v1/predict{query}", content=body)
        assert response.headers["content-type"] in described[str(response.status_code)]["content"]


def test_the_index_leads_everywhere(client):
    index = client.get("/").json()
    assert client.get(index["docs"]).status_code == 200
    assert client.get(index["models"]).status_code == 200
