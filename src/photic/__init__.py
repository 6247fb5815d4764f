"""Photic: an image-inference server for ordinary CPUs."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from photic.predictor import Predictor
    from photic.preprocess import native_info
    from photic.serving.answer import Answer

__all__ = ["Answer", "Predictor", "__version__", "native_info"]

__version__ = version("photic")

_HOMES = {
    "Answer": "photic.serving.answer",
    "Predictor": "photic.predictor",
    "native_info": "photic.preprocess",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that ``import photic`` stays instant."""
    if name in _HOMES:
        from photic.settings_loader import forbid_telemetry

        forbid_telemetry()
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'photic' has no attribute {name!r}")
