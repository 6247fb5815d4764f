"""What has been done so far."""

from asgi_call import fetch


def test_every_version_of_every_model_has_its_counts(serving):
    s = serving()
    s.service.admission.admit(0)
    stats = fetch(s.app, "GET", "/v1/stats").json()
    assert (stats["in_flight"], stats["wasted"]) == (1, 4)
    assert [(m["name"], m["version"], m["batch_sizes"]) for m in stats["models"]] == [
        ("first", 1, {"1": 1}),
        ("first", 2, {"1": 2}),
        ("second", 1, {"1": 1}),
    ]
    only = {key: stats["models"][0][key] for key in ("variant", "alone", "expired", "abandoned")}
    assert only == {"variant": "fp32", "alone": 1, "expired": 2, "abandoned": 3}
    assert stats["models"][0]["preferred_batch"] == 1
