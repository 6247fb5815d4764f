"""The same modules as ONNX files: torch_export.py MODEL FILE."""

import sys
from pathlib import Path

import torch

from bench.peers.servers.torch_models import build

if __name__ == "__main__":
    name, path = sys.argv[1], Path(sys.argv[2])
    batch = torch.export.Dim("batch", min=1, max=64)
    program = torch.onnx.export(
        build(name),
        (torch.randn(2, 3, 224, 224),),
        dynamo=True,
        opset_version=18,
        input_names=["input"],
        output_names=["logits"],
        dynamic_shapes=({0: batch},),
        external_data=False,
    )
    program.save(path)
