"""Large images in other formats, of which one at a time finds room, beside small JPEGs."""

import io
import threading

import httpx
import pytest
from PIL import Image

from oracle.photos import photo, resized
from running_server import RunningServer

WEBPS = 8


@pytest.fixture(scope="module")
def large_webp() -> bytes:
    """12 megapixels, a fifth of a second of work."""
    file = io.BytesIO()
    large = Image.fromarray(resized(photo("coffee"), 4000, 2990))
    large.save(file, "WEBP", quality=30, method=0)
    return file.getvalue()


def test_r01_large_webps_do_not_stop_the_jpegs(large_webp, jpegs):
    """All workers waited for room, and each JPEG for one of them: 1 JPEG was answered a WebP.

    Of two workers one is left to the JPEGs now, which makes about 10 of them a WebP.
    """
    statuses: dict[str, list[int]] = {"webp": [], "jpeg": []}
    enough = threading.Event()

    def ask(server: str, kind: str, image: bytes) -> None:
        with httpx.Client(base_url=server, timeout=60) as client:
            while not enough.is_set():
                headers = {"X-Request-Timeout-Ms": "60000"}
                response = client.post("/v1/predict", content=image, headers=headers)
                statuses[kind].append(response.status_code)
                if len(statuses["webp"]) >= WEBPS:
                    enough.set()

    with RunningServer("--cpus", "2") as server:
        asked = [("webp", large_webp)] * 3 + [("jpeg", jpegs["coffee"])] * 2
        threads = [threading.Thread(target=ask, args=(server.url, *one)) for one in asked]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(statuses["webp"]) == set(statuses["jpeg"]) == {200}
    assert len(statuses["jpeg"]) >= 3 * WEBPS
