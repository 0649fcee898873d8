from pathlib import Path

import pytest

from markscheme.adapters.rubric_files import RubricFiles
from markscheme.grading.rubric import Point, Rubric, Source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "rubrics"


@pytest.fixture
def store(folder: Path) -> RubricFiles:
    return RubricFiles(folder)


@pytest.fixture
def rubric() -> Rubric:
    """Every field filled, with wordings that YAML could take for something else."""
    points = (
        Point(
            "p1",
            "yes",
            heading="Leases: # not a comment",
            importance="okay",
            weight=0.5,
            alternatives=('it\'s a "lease": ' * 9 + "it ends",),
            misconceptions=("no", "1e3"),
            span=(3, 9),
        ),
        Point("p2", "😀 1.0 — " + "a long text " * 20 + "that ends", weight=2.0),
    )
    source = Source("seeds/locks.md", "prompt", "1234567890123456", "1e10000000000000")
    return Rubric("locks/what-ends-a-lease", "What ends\n\na lease: why?", points, "Locks", "hard", "draft", source)
