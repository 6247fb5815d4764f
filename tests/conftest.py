"""Fixtures for all tests: photos of the test dependencies, and the shared folder if present."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.photos import jpeg, photo
from shared_folder import SHARED

MEASURED = pytest.StashKey[list[str]]()
REPOSITORY = Path(__file__).parents[1]

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # before any test imports ONNX Runtime


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photos and uploads beside the checkout; without it the test is skipped."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not here")
    return SHARED


@pytest.fixture(scope="session")
def chelsea_jpeg() -> bytes:
    """scikit-image's cat as a JPEG of 451 x 300."""
    return jpeg(photo("chelsea"))


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Takes a line with a figure; all of them are shown at the end of the run."""
    return request.config.stash.setdefault(MEASURED, []).append


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show what was measured, so that a run shows figures beside its verdict."""
    if lines := config.stash.get(MEASURED, []):
        terminalreporter.section("measured")
        terminalreporter.line("\n".join(lines))
