"""A home of one's own with two questions, and ways to run the command line in it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from markscheme import bootstrap
from markscheme.cli.app import app
from markscheme.grading.rubric import Point, Rubric
from markscheme.settings import Settings

RUBRICS = (
    Rubric(
        "databases/what-an-index-costs",
        "What does an index on a table cost?",
        (
            Point("p1", "Every insert and update must also write the index."),
            Point("p2", "The index takes disk space.", importance="okay", misconceptions=("An index needs no space.",)),
        ),
        topic="Databases",
        difficulty="easy",
    ),
    Rubric(
        "networks/why-udp",
        "Why would a game use UDP?",
        (Point("p1", "A late packet is worth less than the next one.", heading="Latency"),),
        topic="Networks",
    ),
)
Run = Callable[..., Result]


@pytest.fixture(scope="session")
def built_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once; tests that write take `home`."""
    home = tmp_path_factory.mktemp("built") / "home"
    settings = Settings(home=home, embedder="hashing")
    for rubric in RUBRICS:
        bootstrap.rubric_store(settings).save(rubric)
    bootstrap.build_index(settings)
    return home


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the settings of the tests, and a working folder of their own."""
    for name in [name for name in os.environ if name.startswith("MARKSCHEME_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MARKSCHEME_EMBEDDER", "hashing")
    monkeypatch.setenv("MARKSCHEME_VERIFIER", "off")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def home(environment: None, monkeypatch: pytest.MonkeyPatch, built_home: Path, tmp_path: Path) -> Path:
    """A copy of the built home, set as MARKSCHEME_HOME."""
    del environment
    copy = tmp_path / "home"
    # With their times: whether the index is older than the rubrics is told by those.
    subprocess.run(["cp", "-a", str(built_home), str(copy)], check=True)  # noqa: S607 - wherever cp is
    monkeypatch.setenv("MARKSCHEME_HOME", str(copy))
    return copy


@pytest.fixture
def empty_home(environment: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home that does not exist yet, set as MARKSCHEME_HOME."""
    del environment
    monkeypatch.setenv("MARKSCHEME_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def run() -> Run:
    """Runs one command in this process."""

    def run_it(*arguments: str | Path, stdin: str | bytes = "") -> Result:
        result = CliRunner().invoke(app, [str(one) for one in arguments], input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run_it


@pytest.fixture
def command() -> list[str]:
    """Starts the command line in a process of its own."""
    return [sys.executable, "-m", "markscheme"]
