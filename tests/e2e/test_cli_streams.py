"""``photic`` where its input never ends, and where its output goes nowhere."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from oracle.photos import jpeg, photo
from photic_command import COMMAND, clean_environment, run_photic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("photos")
    (root / "chelsea.jpg").write_bytes(jpeg(photo("chelsea")))
    return root


def test_a_reader_that_leaves_is_no_error(folder: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "predict", "--json", *["chelsea.jpg"] * 40],
        cwd=folder,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 1


def test_ctrl_c_ends_quietly_with_130(folder: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "predict", folder / "chelsea.jpg", "-"],
        cwd=folder,
        env=clean_environment(),
        stdin=subprocess.PIPE,
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        for _ in range(8):  # more than a pipe holds: returns when the command reads, and waits
            process.stdin.write(bytes(65_536))
        process.send_signal(signal.SIGINT)
        process.stdin.close()  # a read that began as the signal came would not notice it
        assert process.wait(30) == 130
        assert process.stderr.read().strip() == b""


def test_what_is_no_regular_file_or_too_large_is_refused_at_once(folder: Path) -> None:
    """Finding 4: a FIFO hung for ever, and /dev/zero took all memory."""
    os.mkfifo(folder / "pipe.jpg")
    with (folder / "huge.jpg").open("wb") as huge:
        huge.truncate(10**12)
    try:
        paths = ("pipe.jpg", "/dev/zero", "huge.jpg", "chelsea.jpg")
        done = run_photic("predict", "--json", *paths, cwd=folder)
    finally:
        (folder / "pipe.jpg").unlink()
        (folder / "huge.jpg").unlink()
    lines = {line["path"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert tuple(lines) == paths  # in order
    codes = [lines[path].get("error", {}).get("code") for path in paths]
    assert codes == ["unreadable_file", "unreadable_file", "body_too_large", None]
    assert done.returncode == 1


def run_redirected(redirection: str, *arguments: str, cwd: Path) -> tuple[int, str]:
    """Exit code and stderr of a command with a shell's redirection, such as ``> /dev/full``."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {redirection}', COMMAND, *arguments],
        cwd=cwd,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def test_an_endless_standard_input_is_refused(folder: Path) -> None:
    """Finding 4."""
    code, words = run_redirected(
        "< /dev/zero", "predict", "-", "--set", "body.max_bytes=1000000", cwd=folder
    )
    assert words.startswith("photic: -: body_too_large: ")
    assert "body.max_bytes allows 1000000" in words
    assert code == 1


def test_a_closed_standard_input_is_refused(folder: Path) -> None:
    code, words = run_redirected("<&-", "predict", "-", cwd=folder)
    assert (code, words) == (1, "photic: -: unreadable_file: standard input is closed\n")


FULL = "cannot write to standard output: No space left on device"
CLOSED = "cannot write to standard output: it is closed"


@pytest.mark.parametrize(
    ("redirection", "arguments", "reason"),
    [
        ("> /dev/full", ("predict", "--json", "chelsea.jpg", "chelsea.jpg"), FULL),
        ("> /dev/full", ("predict", "chelsea.jpg"), FULL),
        ("> /dev/full", ("preprocess", "chelsea.jpg", "-o", "-"), FULL),
        ("> /dev/full", ("models",), FULL),
        ("> /dev/full", ("config", "--json"), FULL),
        ("> /dev/full", ("--help",), "No space left on device"),
        (">&-", ("predict", "chelsea.jpg"), CLOSED),
    ],
)
def test_answers_that_cannot_be_written_are_one_line(
    folder: Path, redirection: str, arguments: tuple[str, ...], reason: str
) -> None:
    """Finding 6: a traceback, and exit code 120."""
    code, words = run_redirected(redirection, *arguments, cwd=folder)
    assert (code, words) == (1, f"photic: error: {reason}\n")


def test_errors_that_cannot_be_written_still_give_the_exit_code(folder: Path) -> None:
    assert run_redirected("2> /dev/full", "predict", "none.jpg", cwd=folder) == (1, "")
    assert run_redirected("2> /dev/full", "predict", cwd=folder) == (2, "")
