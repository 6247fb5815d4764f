"""What is served."""

from asgi_call import fetch


def test_the_list_names_the_default_and_groups_versions(serving):
    listed = fetch(serving().app, "GET", "/v1/models").json()
    assert listed["default"] == "first"
    assert [(m["name"], m["version"]) for m in listed["models"]] == [("first", 2), ("second", 1)]
    assert [v["version"] for v in listed["models"][0]["versions"]] == [1, 2]


def test_one_model(serving):
    model = fetch(serving().app, "GET", "/v1/models/second").json()
    [version] = model["versions"]
    assert version["task"] == "classification"
    assert version["labels"] == 10
    assert version["input"]["size"] == [8, 8]


def test_an_unknown_model_lists_the_names(serving):
    reply = fetch(serving().app, "GET", "/v1/models/third")
    assert (reply.status, reply.json()["code"]) == (404, "model_not_found")
    assert "first, second" in reply.json()["detail"]
