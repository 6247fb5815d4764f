"""The ``photic`` command as a process of its own, as users run it."""

import os
import pty
import subprocess
import sys
from pathlib import Path

__all__ = ["COMMAND", "clean_environment", "error_line", "on_a_terminal", "run_photic"]

COMMAND = Path(sys.executable).with_name("photic")
SECONDS = 60


def clean_environment(**variables: str) -> dict[str, str]:
    """This process's environment without settings of Photic, and with some more variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PHOTIC_")}
    return {**kept, "COLUMNS": "100", **variables}


def run_photic(
    *arguments: str | Path, cwd: Path, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end. A traceback fails the test, whatever the test looks at."""
    done = subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        env=clean_environment(**variables),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """What stderr says after ``photic: error: ``; it must be one line, and stdout empty."""
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("photic: error: ")
    return line.removeprefix("photic: error: ")


def on_a_terminal(*arguments: str, cwd: Path) -> str:
    """What a person would see: stdout and stderr are one terminal of 100 columns."""
    mine, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments],
        cwd=cwd,
        env=clean_environment(TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(mine, 4096):
                shown += piece
        except OSError:  # Linux ends a terminal that way
            pass
        process.wait(10)
    os.close(mine)
    return shown.decode()
