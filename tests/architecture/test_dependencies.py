"""What is imported at run time is what pyproject.toml asks for."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator

DISTRIBUTIONS = {"PIL": "pillow"}
"""Of the modules that are called otherwise."""


def imports(node: ast.AST) -> Iterator[str]:
    """The top-level modules that the code imports, except for type checkers."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module.partition(".")[0]
    for child in ast.iter_child_nodes(node):
        yield from imports(child)


def test_r14_what_is_imported_is_a_dependency(repository):
    """typing_extensions was there only because others need it."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {re.match(r"[\w-]+", one)[0] for one in project["project"]["dependencies"]}
    found = {
        DISTRIBUTIONS.get(name, name)
        for file in repository.glob("src/**/*.py")
        for name in imports(ast.parse(file.read_text(encoding="utf-8")))
        if name not in sys.stdlib_module_names and name != "photic"
    }
    assert found == declared
