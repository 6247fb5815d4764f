import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from photic.postprocess.classification import (
    Classification,
    are_probabilities,
    best,
    sigmoid,
    softmax,
)

LABELS = ("ant", "bee", "cat", "dog", "elk")


def row(*values: float) -> np.ndarray:
    return np.array([values], np.float32)


def softmax_of(values: list[float]) -> list[float]:
    """By the definition, in exact enough arithmetic."""
    powers = [math.exp(value - max(values)) for value in values]
    return [power / math.fsum(powers) for power in powers]


def test_softmax_by_its_definition():
    outputs = np.random.default_rng(1).normal(0, 4, (3, 50)).astype(np.float32)
    expected = [softmax_of([float(value) for value in values]) for values in outputs]
    np.testing.assert_allclose(softmax(outputs), expected, rtol=2e-6)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1000.0, 1000.0], [0.5, 0.5]),
        ([-1000.0, -1000.0, -1000.0, -1000.0], [0.25] * 4),
        ([3e38, -3e38], [1.0, 0.0]),
        ([88.0, 0.0], [1.0, math.exp(-88)]),
    ],
)
def test_softmax_neither_overflows_nor_vanishes(values, expected):
    np.testing.assert_allclose(softmax(row(*values)), [expected], rtol=1e-5)


@pytest.mark.parametrize("value", [-1000.0, -20.0, -1.0, 0.0, 1.0, 20.0, 1000.0])
def test_sigmoid_by_its_definition(value):
    expected = 1 / (1 + math.exp(-value)) if value > -700 else 0.0
    assert sigmoid(row(value))[0, 0] == pytest.approx(expected, abs=1e-7)


floats = st.floats(-10, 10, width=32) | st.sampled_from([0.0, 1.0])
rows = st_numpy.arrays(np.float32, st.integers(1, 60), elements=floats)


@given(rows, st.data())
def test_the_best_are_those_of_a_full_sort_ties_by_index(values, data):
    k = data.draw(st.integers(1, len(values)))
    ranking = sorted(range(len(values)), key=lambda index: (-values[index], index))
    assert best(values, k).tolist() == ranking[:k]


def test_a_batch_is_named_row_by_row():
    outputs = np.array([[0, 1, 3, 2, 0], [9, 9, 9, 9, 9]], np.float32)
    first, second = Classification(LABELS, scores="softmax")(outputs, [3, 2])
    assert [(c.index, c.label) for c in first.predictions] == [(2, "cat"), (3, "dog"), (1, "bee")]
    expected = sorted(softmax_of([0, 1, 3, 2, 0]), reverse=True)[:3]
    assert [c.score for c in first.predictions] == pytest.approx(expected, rel=1e-6)
    assert [(c.index, c.label) for c in second.predictions] == [(0, "ant"), (1, "bee")]
    assert [c.score for c in second.predictions] == pytest.approx([0.2, 0.2])


def test_scores_that_saturate_keep_the_order_of_the_outputs():
    outputs = row(40.0, 50.0, 60.0, 45.0, 0.0)
    [prediction] = Classification(LABELS, scores="sigmoid")(outputs, [3])
    assert [(c.label, c.score) for c in prediction.predictions] == [
        ("cat", 1.0),
        ("bee", 1.0),
        ("dog", 1.0),
    ]


def test_scores_none_gives_the_outputs():
    [prediction] = Classification(LABELS, scores="none")(row(0.5, -1.0, 2.5, 0.0, 0.0), [5])
    assert [c.score for c in prediction.predictions] == [2.5, 0.5, 0.0, 0.0, -1.0]
    assert [c.index for c in prediction.predictions] == [2, 0, 3, 4, 1]


def test_a_batch_gives_what_single_rows_give():
    outputs = np.random.default_rng(2).normal(0, 3, (7, 1000)).astype(np.float32)
    labels = [str(index) for index in range(1000)]
    task = Classification(labels, scores="softmax")
    singles = [task(outputs[i : i + 1], [5])[0] for i in range(7)]
    assert task(outputs, [5] * 7) == singles


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ([[0.25, 0.75], [1.0, 0.0]], True),
        ([[0.25, 0.75], [0.5, 0.0]], False),
        ([[-0.25, 1.25]], False),
        ([[3.0, -2.0]], False),
    ],
)
def test_outputs_that_are_probabilities_are_recognised(outputs, expected):
    assert are_probabilities(np.array(outputs, np.float32)) is expected
