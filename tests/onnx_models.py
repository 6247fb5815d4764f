"""Tiny ONNX models, good and bad.

The good one's output can be computed by hand: the mean of each channel times WEIGHTS.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

CLASSES = 4
WEIGHTS = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], np.float32)
SIZE = (8, 6)

Shape = Sequence[int | str]


def save(model: ModelProto, path: Path) -> Path:
    path.write_bytes(model.SerializeToString())
    return path


def classifier(
    *,
    batch: int | str = "batch",
    size: tuple[int | str, int | str] = SIZE,
    layout: str = "NCHW",
    dtype: int = TensorProto.FLOAT,
    width: int | str = CLASSES,
    tail: Sequence[NodeProto] = (),
    **options: Any,
) -> ModelProto:
    """[batch, 3, H, W] -> [batch, 4]: the channels' means times WEIGHTS, then ``tail``.

    ``tail`` goes from "product" to "scores".
    """
    channels_first = layout == "NCHW"
    shape = [batch, 3, *size] if channels_first else [batch, *size, 3]
    nodes = [
        helper.make_node("Cast", ["image"], ["pixels"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["pixels", "axes"], ["means"], keepdims=0),
        helper.make_node("MatMul", ["means", "weights"], ["product"]),
        *(tail or [helper.make_node("Identity", ["product"], ["scores"])]),
    ]
    return model(
        nodes,
        inputs={"image": (dtype, shape)},
        outputs={"scores": (TensorProto.FLOAT, [batch, width])},
        constants={"axes": np.array([2, 3] if channels_first else [1, 2]), "weights": WEIGHTS},
        **options,
    )


def by_hand(rows: np.ndarray, layout: str = "NCHW") -> np.ndarray:
    """What ``classifier`` gives for [n, 3, H, W]."""
    return rows.astype(np.float64).mean(axis=(2, 3) if layout == "NCHW" else (1, 2)) @ WEIGHTS


def probabilities() -> ModelProto:
    """Its output already is a softmax."""
    return classifier(tail=[helper.make_node("Softmax", ["product"], ["scores"], axis=1)])


def not_finite() -> ModelProto:
    """The logarithm of the product: NaN where it is negative, -inf at 0."""
    return classifier(tail=[helper.make_node("Log", ["product"], ["scores"])])


def baked_batch() -> ModelProto:
    """Says that its batch is open, but an inner Reshape holds batch 1 and fails on 2."""
    return classifier(
        tail=[helper.make_node("Reshape", ["product", "one_row"], ["scores"])],
        more_constants={"one_row": np.array([1, CLASSES])},
    )


def mixing_batch() -> ModelProto:
    """Says that its batch is open, but rows of a batch are mixed up, without any error."""
    nodes = [
        helper.make_node("Shape", ["product"], ["shape"]),
        helper.make_node("Reshape", ["product", "columns"], ["column"]),
        helper.make_node("Transpose", ["column"], ["turned"], perm=[1, 0]),
        helper.make_node("Reshape", ["turned", "shape"], ["scores"]),
    ]
    return classifier(tail=nodes, more_constants={"columns": np.array([CLASSES, -1])})


def model(
    nodes: Sequence[NodeProto],
    *,
    inputs: dict[str, tuple[int, Shape]],
    outputs: dict[str, tuple[int, Shape]],
    constants: dict[str, np.ndarray] | None = None,
    more_constants: dict[str, np.ndarray] | None = None,
    opset: int = 18,
) -> ModelProto:
    """Any graph."""
    graph = helper.make_graph(
        list(nodes),
        "toy",
        [helper.make_tensor_value_info(name, *value) for name, value in inputs.items()],
        [helper.make_tensor_value_info(name, *value) for name, value in outputs.items()],
        [
            numpy_helper.from_array(value, name)
            for name, value in {**(constants or {}), **(more_constants or {})}.items()
        ],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9, producer_name="toy"
    )


def identity(
    *, inputs: dict[str, tuple[int, Shape]], outputs: dict[str, tuple[int, Shape]]
) -> ModelProto:
    """Every output is the first input; for signatures only."""
    first = next(iter(inputs))
    nodes = [helper.make_node("Identity", [first], [name]) for name in outputs]
    return model(nodes, inputs=inputs, outputs=outputs)
