"""The wheel, installed where there is no checkout."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

QUESTION = "training-vs-inference/large-batch-trade-offs"
Command = Callable[..., str]


@pytest.fixture(scope="module")
def installed(
    new_environment: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory, plain_environment: dict[str, str]
) -> Command:
    """Runs the installed command. What the wheel depends on is found where these tests find it."""
    folder = tmp_path_factory.mktemp("installed")
    packages = new_environment(folder / "venv")
    found = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "dependencies.pth").write_text("\n".join(found), "utf-8")

    def run(*arguments: str, stdin: str = "") -> str:
        environment = {**plain_environment, "XDG_CACHE_HOME": str(folder / "cache")}
        command = [str(folder / "venv" / "bin" / "markscheme"), *arguments]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, check=False, cwd=folder, env=environment
        )
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    run("build")
    return run


def test_every_packaged_question_is_listed(installed: Command, repository: Path) -> None:
    listed = [json.loads(line)["id"] for line in installed("questions", "--json").splitlines()]
    files = (repository / "rubrics").glob("*/*.yaml")
    assert listed == sorted(f"{file.parent.name}/{file.stem}" for file in files)
    assert QUESTION in listed


def test_an_answer_is_graded_by_a_packaged_rubric(installed: Command) -> None:
    answer = "With the linear scaling rule the learning rate is multiplied by k when the batch size is multiplied by k."
    graded = json.loads(installed("grade", "--question-id", QUESTION, "--answer", "-", "--json", stdin=answer))
    assert graded["question_id"] == QUESTION
    assert "covered" in {point["status"] for point in graded["points"]}
    assert graded["grader"]["embedder"].startswith("all-MiniLM-L6-v2@")


def test_rubrics_seeds_schema_and_index_are_in_order(installed: Command) -> None:
    assert installed("check").endswith("are in order\n")
