"""The corpus as test parameters; none where the shared folder is absent."""

import pytest

from corpus.manifest import Upload, read_manifest
from shared_folder import SHARED

CORPUS = SHARED / "corpus"

UPLOADS: tuple[Upload, ...] = read_manifest(CORPUS) if CORPUS.is_dir() else ()

each_upload = pytest.mark.parametrize("upload", UPLOADS, ids=lambda upload: upload.name)
"""Runs a test once for each file of the corpus, as its argument ``upload``."""
