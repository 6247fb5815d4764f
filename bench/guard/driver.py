"""Builds `preprocess_files`, the native path as a program without Python, as the wheel is built."""

import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["build_driver"]

_ROOT: Final = Path(__file__).parents[2]
_OPTIONS: Final = ("CMAKE_BUILD_TYPE=Release", "PHOTIC_DRIVER=ON", "PHOTIC_PYTHON=OFF")


def build_driver() -> Path:
    """Builds it in `build/driver` where it is out of date; needs CMake and Ninja in this venv.

    Raises:
        RuntimeError: It does not build; the message is the compiler's.
    """
    tools = Path(sys.executable).parent
    build = _ROOT / "build/driver"
    ninja = f"CMAKE_MAKE_PROGRAM={tools / 'ninja'}"
    defines = [f"-D{option}" for option in (*_OPTIONS, ninja)]
    _run(tools / "cmake", "-S", _ROOT / "cpp", "-B", build, "-G", "Ninja", *defines)
    _run(tools / "cmake", "--build", build, "--target", "preprocess_files")
    return build / "preprocess_files"


def _run(*command: object) -> None:
    words = [str(word) for word in command]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
