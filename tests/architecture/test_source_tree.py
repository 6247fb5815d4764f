"""Rules of the house that no linter checks: sizes, the environment, clocks in tests."""

import ast
from pathlib import Path

import pytest

LONGEST_FILE = 300
LONGEST_FUNCTION = 45


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def modules(repository):
    return {p.relative_to(repository): parse(p) for p in repository.glob("src/**/*.py")}


def test_no_file_is_long(repository):
    kinds = ("src/**/*.py", "src/**/*.pyi", "tests/**/*.py", "bench/**/*.py")
    native = ("cpp/**/*.cc", "cpp/**/*.h", "tests/**/*.cc", "tests/**/*.h")
    files = [file for kind in (*kinds, *native) for file in repository.glob(kind)]
    lengths = {f.relative_to(repository): len(f.read_text().splitlines()) for f in files}
    assert len(lengths) > 20
    assert {file: length for file, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_long(modules):
    long = {
        f"{path}:{node.lineno} {node.name}"
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    }
    assert long == set()


def mentions(tree: ast.Module, module: str, names: set[str]) -> bool:
    """Whether the code uses ``module.name`` or imports a name from the module."""
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    }
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == module
    }
    return bool(names & (imported | used))


def test_only_the_settings_loader_reads_the_environment(modules):
    names = {"environ", "environb", "getenv", "getenvb"}
    readers = {path.name for path, tree in modules.items() if mentions(tree, "os", names)}
    assert readers == {"settings_loader.py"}


def test_only_preprocess_knows_the_native_module(modules):
    """import-linter does not see extension modules."""
    users = {
        path
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).endswith("_native")
    }
    assert {path.parent.name for path in users} == {"preprocess"}


def test_the_core_does_not_read_the_environment(repository):
    files = [*repository.glob("cpp/**/*.cc"), *repository.glob("cpp/**/*.h")]
    assert [file for file in files if "getenv" in file.read_text()] == []


def test_tests_wait_for_events_and_never_sleep(repository):
    tests = repository.glob("tests/**/*.py")
    assert [path.name for path in tests if mentions(parse(path), "time", {"sleep"})] == []
