"""Each import contract goes red when it is broken."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINT = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    """A copy of the package and of the contracts, to break."""
    shutil.copy(repository / "pyproject.toml", tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(repository / "service", tmp_path / "service", ignore=ignored)
    return tmp_path


def lint(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "service")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def append(folder: Path, module: str, line: str) -> None:
    with (folder / "service" / "markscheme" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")


def test_the_contracts_are_kept(copy: Path) -> None:
    status, told = lint(copy)
    assert (status, "3 kept, 0 broken" in told) == (0, True), told


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("grading/score.py", "import markscheme.pipeline.ports", "Imports point inwards"),
        ("adapters/snowball_stemmer.py", "import markscheme.bootstrap", "Imports point inwards"),
        ("cli/match.py", "import markscheme.web.pages", "Imports point inwards"),
        ("grading/rubric.py", "import pydantic", "The core knows no framework"),
        ("agreement/gold.py", "import markscheme.pipeline.ports", "Imports point inwards"),
        ("grading/score.py", "import markscheme.agreement.gold", "Imports point inwards"),
        ("agreement/gold.py", "import pydantic", "The core knows no framework"),
        ("pipeline/build.py", "import faiss", "The core knows no framework"),
        (
            "adapters/snowball_stemmer.py",
            "import markscheme.adapters.wire",
            "Adapters do not know each other",
        ),
    ],
)
def test_a_wrong_import_breaks_its_contract(copy: Path, module: str, line: str, contract: str) -> None:
    append(copy, module, line)
    status, told = lint(copy)
    assert status == 1
    assert f"{contract} BROKEN" in told


def test_a_new_folder_must_be_given_its_place(copy: Path) -> None:
    room = copy / "service" / "markscheme" / "helpers"
    room.mkdir()
    (room / "__init__.py").touch()
    status, told = lint(copy)
    assert status == 1
    assert "helpers" in told
