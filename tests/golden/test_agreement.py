"""The grader against answers that were marked by hand before anybody saw what it says."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from markscheme import bootstrap
from markscheme.grading.grade import Grade
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import Settings

HERE = Path(__file__).parent
MADE, PARTLY, SAID_WRONGLY = 1, 0.5, -1


@dataclass(frozen=True)
class Marked:
    quality: str
    points: list[float]
    grade: Grade

    @property
    def score_by_hand(self) -> float:
        weights = [point.weight for point in self.grade.points]
        earned = sum(weight * max(0.0, mark) for weight, mark in zip(weights, self.points, strict=True))
        return 100 * earned / sum(weights)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> list[Marked]:
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(bootstrap.rooms(Settings()).rubrics, home / "rubrics")
    settings = Settings(home=home)
    bootstrap.build_index(settings)
    grader = bootstrap.grader(settings)
    return [
        Marked(
            row["gold"]["quality"],
            row["gold"]["points"],
            grader.grade(GradeRequest(row["answer"], question_id=row["question_id"])),
        )
        for row in _rows()
    ]


def _rows() -> Iterator[dict[str, Any]]:
    for path in sorted(HERE.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def test_sixty_answers_to_ten_questions_in_six_qualities(marked: list[Marked]) -> None:
    assert len(marked) == 60
    assert len({one.grade.question_id for one in marked}) == 10
    assert {one.quality for one in marked} == {"excellent", "gaps", "vague", "wrong", "off_topic", "keywords"}


def test_scores_follow_the_marks_by_hand(marked: list[Marked]) -> None:
    ours = [one.grade.score for one in marked]
    theirs = [one.score_by_hand for one in marked]

    assert _pearson(ours, theirs) > 0.72


def test_what_is_called_covered_is_made(marked: list[Marked]) -> None:
    marks = [
        mark
        for one in marked
        for point, mark in zip(one.grade.points, one.points, strict=True)
        if point.status == "covered"
    ]

    assert len(marks) > 50
    assert sum(mark > 0 for mark in marks) / len(marks) > 0.85


def test_better_answers_score_higher(marked: list[Marked]) -> None:
    mean = {
        quality: sum(scores) / len(scores)
        for quality in ("excellent", "gaps", "vague", "off_topic", "keywords")
        if (scores := [one.grade.score for one in marked if one.quality == quality])
    }

    assert mean["excellent"] > 1.8 * mean["gaps"] > 4 * mean["vague"]
    assert mean["off_topic"] < 3
    assert mean["keywords"] < 8


def _pearson(left: list[float], right: list[float]) -> float:
    mean_left, mean_right = sum(left) / len(left), sum(right) / len(right)
    pairs = [(a - mean_left, b - mean_right) for a, b in zip(left, right, strict=True)]
    joint = sum(a * b for a, b in pairs)
    return float(joint / (sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs)) ** 0.5)
