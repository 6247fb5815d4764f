"""What the libraries are told through the environment, and that the user's word counts."""

import os
import subprocess
import sys

import pytest

from photic.settings_loader import forbid_telemetry, forbid_thread_pools

NAMES = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS", "ORT_DISABLE_TELEMETRY")


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them set, and put back in the end."""
    for name in NAMES:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def variables() -> dict[str, str]:
    return {name: os.environ[name] for name in NAMES if name in os.environ}


def test_defaults() -> None:
    forbid_thread_pools()
    forbid_telemetry()
    assert variables() == {"OPENBLAS_NUM_THREADS": "1", "ORT_DISABLE_TELEMETRY": "1"}


@pytest.mark.parametrize("name", NAMES[:3])
def test_the_users_pool_stays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "3")
    forbid_thread_pools()
    assert variables() == {name: "3"}


def test_the_users_telemetry_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    forbid_telemetry()
    assert variables() == {"ORT_DISABLE_TELEMETRY": "0"}


def run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_python_api_forbids_telemetry_but_leaves_numpy_alone() -> None:
    shown = run(
        "import os, photic; photic.Predictor; "
        "print(os.environ['ORT_DISABLE_TELEMETRY'], os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    assert shown == "1 None"


def test_openblas_obeys() -> None:
    """Its pool is what would be there else: a thread for each CPU but one."""
    count = "import os, numpy; print(len(os.listdir('/proc/self/task')))"
    prepare = "from photic.settings_loader import forbid_thread_pools as f; f(); "
    assert run(prepare + count) == "1"
