"""``/v1/stats`` counts what a real server does."""

import httpx

from running_server import RunningServer


def stats(url: str) -> dict:
    return httpx.get(f"{url}/v1/stats").json()


def test_answers_are_counted_by_batch(jpegs):
    with RunningServer() as server:
        before = stats(server.url)
        assert before["models"][0]["batch_sizes"] == {}
        for _ in range(3):
            httpx.post(f"{server.url}/v1/predict", content=jpegs["coffee"])
        after = stats(server.url)
        assert after["models"][0]["batch_sizes"] == {"1": 3}
        assert (after["in_flight"], after["wasted"]) == (0, 0)
        assert server.stop() == 0
