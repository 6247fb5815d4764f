"""The same modules as ONNX files: torch_export.py MODEL FILE. Fails when their outputs differ."""

import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from bench.peers.servers.torch_models import build

TOLERANCE = 1e-3
ROWS = 8


def export(model: nn.Module, path: Path) -> None:
    batch = torch.export.Dim("batch", min=1, max=64)
    program = torch.onnx.export(
        model,
        (torch.randn(2, 3, 224, 224),),
        dynamo=True,
        opset_version=18,
        input_names=["input"],
        output_names=["logits"],
        dynamic_shapes=({0: batch},),
        external_data=False,
    )
    program.save(path)


def check(model: nn.Module, path: Path) -> None:
    """Both give the same logits, and the same class, for each of some rows."""
    rows = torch.randn(ROWS, 3, 224, 224)
    with torch.inference_mode():
        expected = model(rows).numpy()
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (logits,) = session.run(None, {"input": rows.numpy()})
    worst = np.abs(logits - expected).max() / np.abs(expected).max()
    same = (logits.argmax(1) == expected.argmax(1)).all()
    print(f"{path.name}: off by {worst:.1e} of the largest logit at most, same classes: {same}")
    if worst > TOLERANCE or not same:
        path.unlink()
        sys.exit(1)


if __name__ == "__main__":
    module = build(sys.argv[1])
    export(module, Path(sys.argv[2]))
    check(module, Path(sys.argv[2]))
