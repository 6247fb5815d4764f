"""Where photos and uploads that may not be shipped lie on the developers' machines."""

from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
"""Beside the checkout; absent elsewhere, and then the tests that need it are skipped."""
