"""The stub says what the extension has."""

import subprocess
import sys
from pathlib import Path

import pytest

ALLOWED = Path(__file__).with_name("stubtest_allowlist.txt")


def test_the_stub_matches_the_extension(tmp_path):
    pytest.importorskip("mypy", reason="mypy comes with the extra `lint`")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n")
    command = [sys.executable, "-m", "mypy.stubtest", "photic.preprocess._native"]
    options = ["--allowlist", str(ALLOWED), "--mypy-config-file", str(config)]
    result = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, timeout=100
    )
    assert result.returncode == 0, result.stdout + result.stderr
