"""Runs a program under callgrind and sums the instructions of each function."""

import re
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

__all__ = ["Function", "instructions", "parse"]

Function = tuple[str, str]
"""The file name of the object that holds it, and its name."""

_NAME: Final = re.compile(r"\((\d+)\)(?: (.*))?")


def instructions(*command: str) -> tuple[Counter[Function], str]:
    """Counts every instruction that a program and its libraries execute.

    Returns:
        Instructions spent in each function itself, and what the program wrote to stdout.

    Raises:
        RuntimeError: The program failed; the message ends with what it wrote to stderr.
    """
    with TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        valgrind = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}"]
        run = subprocess.run([*valgrind, *command], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"{command[0]} under callgrind: {run.stderr.strip()[-500:]}")
        return parse(out.read_text()), run.stdout


def parse(text: str) -> Counter[Function]:
    """Self costs out of callgrind's file format (version 1, one event, line positions)."""
    names: dict[str, dict[str, str]] = {"ob": {}, "fn": {}}
    place = {"ob": "", "fn": ""}
    costs: Counter[Function] = Counter()
    after_call = False  # the line after `calls=` is what the callee cost, counted there already
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals:
            kind = key.removeprefix("c")  # cob=, cfn=: the callee
            if kind in names:
                name = _full_name(names[kind], value)
                if kind == key:
                    place[kind] = name
            after_call = after_call or key == "calls"
        elif line[:1] in "0123456789+-*" and line:
            if not after_call:
                costs[place["ob"], place["fn"]] += int(line.split()[1])
            after_call = False
    return costs


def _full_name(known: dict[str, str], value: str) -> str:
    """callgrind writes a name once, with a number, and then the number alone."""
    found = _NAME.fullmatch(value)
    if found is None:
        return value
    number, name = found.groups()
    return known.setdefault(number, name or "")
