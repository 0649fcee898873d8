"""The program that puts today's grades where one is shown, into a copy of both places."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLACES = ("README.md", "service/markscheme/web/examples.py")


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    for place in PLACES:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / place, tmp_path / place)
    return tmp_path


def paste(repository: Path, copy: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(repository / "evaluation" / "paste_examples.py"), "--into", str(copy)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def without_examples(readme: str, examples: str) -> tuple[str, str]:
    return (
        re.sub(r"```text\nScore .*?```", "", readme, count=1, flags=re.DOTALL),
        re.sub(r"^GRADE: .*?^\}", "", examples, flags=re.DOTALL | re.MULTILINE),
    )


def test_a_stale_grade_is_replaced_and_nothing_else(repository: Path, copy: Path) -> None:
    before = [(copy / place).read_text("utf-8") for place in PLACES]
    readme, examples = (copy / place for place in PLACES)
    readme.write_text(re.sub(r"```text\nScore .*", "```text\nScore of yesterday", before[0], count=1), "utf-8")
    examples.write_text(re.sub(r'"score": [\d.]+', '"score": -1', before[1]), "utf-8")
    done = paste(repository, copy)
    assert done.returncode == 0, done.stderr
    assert "yesterday" not in readme.read_text("utf-8")
    after = examples.read_text("utf-8")
    pasted = re.search(r"^GRADE: dict\[str, object\] = (\{.*?^\})", after, re.DOTALL | re.MULTILINE)
    assert pasted
    grade = ast.literal_eval(pasted[1])
    assert grade["id"] == "candidate-7"
    assert 0 <= grade["score"] <= 100
    assert without_examples(readme.read_text("utf-8"), after) == without_examples(*before)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_shows_no_grade_is_told(repository: Path, copy: Path, place: str) -> None:
    (copy / place).write_text("Nothing.\n", "utf-8")
    done = paste(repository, copy)
    assert done.returncode == 1
    assert f"{copy / place} has no " in done.stderr
