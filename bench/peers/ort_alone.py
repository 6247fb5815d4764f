"""ONNX Runtime without a server: the floor of every comparison, and its reference."""

import subprocess
import tempfile
from pathlib import Path

import msgspec

from bench.harness.mixes import Mix
from bench.harness.results import OrtFloorRun
from bench.harness.server import bench_environment
from bench.peers.registry import REPOSITORY, rival_python

__all__ = ["REFERENCE", "floor", "is_available", "reference_top_1"]

REFERENCE = "Pillow + ONNX Runtime"
MODULE = "bench.peers.servers.ort_alone"


def is_available() -> bool:
    """Whether the rivals' environment is there."""
    return rival_python("rivals").exists()


def floor(concurrent: int, *, seconds: float, round_number: int) -> OrtFloorRun:
    """CPU time of one inference on one thread, ``concurrent`` of them at once."""
    printed = _run("floor", str(concurrent), str(seconds))
    return OrtFloorRun(concurrent, round_number, int(printed))


def reference_top_1(mix: Mix) -> list[int]:
    """The class of each photo, by Pillow's full decode: in a process of its own, so that no
    library of this one is shared with a server whose memory is measured.
    """
    with tempfile.TemporaryDirectory() as folder:
        for number, photo in enumerate(mix.photos):
            (Path(folder) / f"{number:06}.jpg").write_bytes(photo)
        return msgspec.json.decode(_run("top_1", folder), type=list[int])


def _run(*arguments: str) -> str:
    done = subprocess.run(
        [rival_python("rivals"), "-m", MODULE, *arguments],
        env=bench_environment({"PYTHONPATH": str(REPOSITORY)}),
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout
