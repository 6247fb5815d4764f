"""The names that users may rely on; a change here is a change of the API."""

import subprocess
import sys

import pytest

import photic

PUBLIC = ["Answer", "Predictor", "__version__", "native_info"]


def test_the_public_names_are_pinned():
    assert sorted(photic.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(photic, name)
    assert name == "__version__" or value.__doc__


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="predictor_"):
        photic.predictor_  # noqa: B018


def test_importing_photic_loads_nothing_heavy():
    """Nothing runs at import: no model, no server, no native module."""
    program = "import sys, photic; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    heavy = {"onnxruntime", "litestar", "granian", "numpy", "PIL", "msgspec", "click", "rich"}
    assert heavy & set(done.stdout.split()) == set()
