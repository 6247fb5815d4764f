"""The common status of a multipart answer."""

from types import SimpleNamespace

import pytest

from photic.errors import DeadlineExceeded, ImageError
from photic.serving.answer import Answer
from photic.web.results import collect, common_status

BUNDLE = SimpleNamespace(name="m", version=3, variant="int8")
GOOD = Answer(model="m", version=3, variant="int8", request_id="i", predictions=())
CORRUPT = ImageError("d", code="truncated")
TEXT = ImageError("d", code="not_jpeg")


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ([GOOD], 200),
        ([CORRUPT, GOOD, TEXT], 200),
        ([CORRUPT], 422),
        ([TEXT, TEXT], 415),
        ([TEXT, CORRUPT], 422),
        ([TEXT, DeadlineExceeded("d")], 422),
        ([DeadlineExceeded("d")] * 2, 504),
    ],
)
def test_common_status(outcomes, status):
    results = collect(BUNDLE, "i", [("n", outcome) for outcome in outcomes])
    assert common_status(results) == status


def test_results_name_model_and_images_in_order():
    results = collect(BUNDLE, "i", [("a", CORRUPT), ("b", GOOD)])
    assert (results.model, results.version, results.variant) == ("m", 3, "int8")
    assert [result.name for result in results.results] == ["a", "b"]
    assert results.results[0].error.code == "truncated"
    assert results.results[1].predictions == ()
