"""Which machine this is: figures of two machines are not comparable."""

import os
import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path

import psutil
from msgspec import Struct

__all__ = ["Fingerprint", "current_commit", "fingerprint"]

REPOSITORY = Path(__file__).parents[2]
TELLING_FLAGS = ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "asimddp")
PACKAGES = ("photic", "onnxruntime", "numpy", "pillow", "granian", "litestar", "uvloop", "msgspec")


class Fingerprint(Struct, frozen=True):
    """The machine and what the measured process runs on."""

    host: str
    machine: str
    cpu: str
    cpus: int
    """In the affinity mask."""
    flags: list[str]
    memory_bytes: int
    kernel: str
    system: str
    huge_pages: str
    python: str
    packages: dict[str, str]
    load_1min: float
    """Load average when the run began; far above 0 means that something else was running."""


def fingerprint() -> Fingerprint:
    """Of this machine, now."""
    cpuinfo = _read("/proc/cpuinfo")
    present = set(_first(r"^(?:flags|Features)\s*:\s*(.*)$", cpuinfo).split())
    return Fingerprint(
        host=platform.node(),
        machine=platform.machine(),
        cpu=_first(r"^model name\s*:\s*(.*)$", cpuinfo) or platform.processor(),
        cpus=len(os.sched_getaffinity(0)),
        flags=[flag for flag in TELLING_FLAGS if flag in present],
        memory_bytes=psutil.virtual_memory().total,
        kernel=platform.release(),
        system=_first(r'^PRETTY_NAME="?([^"\n]*)', _read("/etc/os-release")),
        huge_pages=_first(r"\[(\w+)\]", _read("/sys/kernel/mm/transparent_hugepage/enabled")),
        python=platform.python_version(),
        packages={name: metadata.version(name) for name in PACKAGES},
        load_1min=os.getloadavg()[0],
    )


def current_commit() -> str:
    """The commit's short name, with "+" when files differ from it; "unknown" outside git."""
    try:
        commit = _git("rev-parse", "--short", "HEAD")
        return commit + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=REPOSITORY, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else ""
