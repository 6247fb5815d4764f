"""What one photo costs the native path, in instructions, start-up excluded."""

import platform
import re
from collections import Counter
from pathlib import Path
from typing import Final

from msgspec import Struct

from bench.guard.callgrind import Function, instructions
from bench.guard.photos import digest

__all__ = ["Count", "Toolchain", "count"]

_OURS: Final = re.compile(r"photic::(?:\(anonymous namespace\)::)?([\w:~]+)")


class Toolchain(Struct, frozen=True):
    """What may change the counts without a change of ours."""

    architecture: str
    compiler: str
    """As it signed the program, such as ``GCC: (Debian 12.2.0-14) 12.2.0``."""
    libjpeg: str
    """File name and digest of the library that was run."""
    kernels: str
    """The dispatch target that was chosen under valgrind."""


class Count(Struct, frozen=True):
    """One photo, preprocessed once by a decoder that is warm."""

    photo: str
    """SHA-256 of the file, 16 digits."""
    instructions: int
    ours: int
    """Those of our own code: what the libraries spend would hide its changes."""
    groups: dict[str, int]
    """All, by library and by our functions; the largest first."""


def count(driver: Path, photo: Path) -> tuple[Count, Toolchain]:
    """Runs a photo for one round and for three; half the difference is one round's cost.

    Raises:
        RuntimeError: The photo cannot be preprocessed.
    """
    once, _ = instructions(str(driver), "--rounds", "1", str(photo))
    thrice, told = instructions(str(driver), "--rounds", "3", str(photo))
    cost = {function: (spent - once[function]) // 2 for function, spent in thrice.items()}
    ours = sum(spent for function, spent in cost.items() if _is_ours(driver, function))
    counted = Count(digest(photo), sum(cost.values()), ours, _groups(driver, cost))
    return counted, _toolchain(driver, thrice, told)


def _groups(driver: Path, cost: dict[Function, int]) -> dict[str, int]:
    groups: Counter[str] = Counter()
    for function, spent in cost.items():
        groups[_group(driver, function)] += spent
    return {name: spent for name, spent in groups.most_common() if spent}


def _is_ours(driver: Path, function: Function) -> bool:
    return Path(function[0]) == driver


def _group(driver: Path, function: Function) -> str:
    """Our own functions by name; of a library only the whole, since it is stripped of names."""
    library, name = function
    if not _is_ours(driver, function):
        return re.sub(r"\.so.*", "", Path(library).name)
    ours = _OURS.search(name)
    return ours.group(1) if ours else "the driver itself"


def _toolchain(driver: Path, costs: Counter[Function], told: str) -> Toolchain:
    signatures = re.findall(rb"(?:GCC: |clang version )[^\0]*", driver.read_bytes())
    libjpeg = next(Path(library) for library, _ in costs if "libjpeg" in Path(library).name)
    return Toolchain(
        architecture=platform.machine(),
        compiler=signatures[0].decode(errors="replace") if signatures else "unknown",
        libjpeg=f"{libjpeg.resolve().name} {digest(libjpeg)}",
        kernels=told.partition(":")[0],
    )
