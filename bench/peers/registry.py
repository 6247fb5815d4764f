"""All servers of the comparison: how to start each, and how to read its answers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bench.harness.client import Endpoint, multipart_frame
from bench.harness.server import Launch, Server

__all__ = [
    "REPOSITORY",
    "SERVERS",
    "eager",
    "missing",
    "photic",
    "predictions_top_1",
    "rival_launch",
    "rival_python",
]

REPOSITORY = Path(__file__).parents[2]
ENVIRONMENTS = REPOSITORY / "build"
RIVALS, TRITON, TORCH = "rivals", "rivals-triton", "rivals-torch"


def rival_python(environment: str) -> Path:
    """The interpreter of ``build/<environment>``, which ``make bench`` sets up."""
    return ENVIRONMENTS / environment / "bin/python"


def missing(server: Server) -> str | None:
    """Why a server cannot be started; None when it can."""
    python = Path(server.launch(0).command[0])
    if python.exists():
        return None
    wanted = " (needs Python 3.13)" if TRITON in python.parts else ""
    return f"{python.parents[1]} was not set up{wanted}: see what `make bench` printed"


def predictions_top_1(body: bytes) -> int:
    """Of ``{"predictions": [{"index": …}, …]}``."""
    answer: Any = msgspec.json.decode(body)
    return int(answer["predictions"][0]["index"])


def _triton_top_1(body: bytes) -> int:
    """Of Triton's binary answer: JSON, then the tensor, one int32."""
    return int.from_bytes(body[-4:], "little")


def photic(name: str = "photic", *arguments: str) -> Server:
    """``photic serve`` with more arguments, under a name of its own."""

    def launch(port: int) -> Launch:
        return Launch((sys.executable, "-m", "photic", "serve", "--port", str(port), *arguments))

    return Server(name, "Photic", launch, _raw("/v1/predict"), ("photic", "onnxruntime"))


def _raw(path: str) -> Callable[[str, int], Endpoint]:
    return lambda host, port: Endpoint(host, port, path, predictions_top_1)


def _multipart(host: str, port: int) -> Endpoint:
    content_type, before, after = multipart_frame("file")
    return Endpoint(
        host, port, "/predict", predictions_top_1, content_type, before=before, after=after
    )


def _triton(host: str, port: int) -> Endpoint:
    """The whole body is the one input: Triton's raw binary request."""
    return Endpoint(
        host,
        port,
        "/v2/models/lite0/infer",
        _triton_top_1,
        "application/octet-stream",
        "Inference-Header-Content-Length: 0\r\n",
    )


def rival_launch(
    module: str, *before_port: str, environment: str = RIVALS
) -> Callable[[int], Launch]:
    """A module of ``bench.peers.servers`` with the interpreter of its environment."""
    python = str(rival_python(environment))
    program = (python, "-m", f"bench.peers.servers.{module}", *before_port)
    return lambda port: Launch((*program, str(port)), {"PYTHONPATH": str(REPOSITORY)})


def eager(model: str) -> Server:
    """One of ``torch_models`` in eager PyTorch."""
    launch = rival_launch("torch_eager", model, environment=TORCH)
    versions = ("torch", "fastapi", "uvicorn", "pillow")
    return Server(f"eager-{model}", "eager PyTorch, FastAPI", launch, _raw("/predict"), versions)


def _tuned(name: str, label: str, row: str) -> Server:
    versions = ("starlette", "uvicorn", "onnxruntime", "pillow", "simplejpeg")
    return Server(name, label, rival_launch("tuned", row), _raw("/predict"), versions)


ALL = (
    photic(),
    Server(
        "naive",
        "naive: FastAPI, Pillow",
        rival_launch("naive"),
        _multipart,
        ("fastapi", "uvicorn", "pillow", "onnxruntime"),
    ),
    _tuned("tuned-pillow", "tuned, Pillow", "pillow"),
    _tuned("tuned-draft", "tuned, Pillow with `draft` and `box`", "pillow_draft"),
    _tuned("tuned-simplejpeg", "tuned, simplejpeg + OpenCV", "simplejpeg_opencv"),
    _tuned("tuned-cropped", "tuned, simplejpeg + OpenCV, cropped first", "simplejpeg_cropped"),
    Server(
        "litserve", "LitServe", rival_launch("litserve_server"), _raw("/predict"), ("litserve",)
    ),
    Server(
        "mosec",
        "mosec",
        rival_launch("mosec_server", "--address", "127.0.0.1", "--port"),
        _raw("/inference"),
        ("mosec",),
    ),
    Server(
        "triton",
        "Triton (PyTriton)",
        rival_launch("triton_server", environment=TRITON),
        _triton,
        ("nvidia-pytriton",),
    ),
)

SERVERS: dict[str, Server] = {server.name: server for server in ALL}
