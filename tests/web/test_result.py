from collections.abc import Callable
from dataclasses import replace

import pytest

from markscheme.grading.grade import Grade, GraderVersions, PointGrade
from markscheme.web.highlight import Piece
from markscheme.web.result import result_of

GRADE = Grade(
    question_id="inline",
    rubric_version="0123456789ab",
    score=62.5,
    verdict="not_assessed",
    vital_coverage=0.335,
    points=(),
    missing=(),
    contradicted=(),
    flags=(),
    confidence=0.75,
    needs_review=False,
    review_reasons=(),
    feedback="",
    grader=GraderVersions("0.1.0", "m", "1", "2"),
)


def test_points_keep_their_numbers_when_they_are_grouped(point_grade: Callable[..., PointGrade]) -> None:
    answer = "Words count."
    points = (
        point_grade(status="missing", coverage=0.125),
        point_grade(answer, (0, 5)),
        point_grade(status="not_assessed"),
        point_grade(answer, (6, 12), status="missing"),
    )
    result = result_of(replace(GRADE, points=points), answer, "Why?")
    shown = [(group.name, [point.number for point in group.points]) for group in result.groups]
    assert shown == [("Covered", [2]), ("Missing", [1, 4]), ("Not assessed", [3])]
    assert result.groups[1].points[0].percent == 13
    assert result.answer == (Piece("Words", "covered", (2,)), Piece(" "), Piece("count.", "missing", (4,)))
    assert (result.verdict, result.question) == ("Not assessed", "Why?")


@pytest.mark.parametrize(
    ("coverage", "shown"), [(0.0, 0), (0.004, 0), (0.625, 63), (0.635, 64), (0.996, 100), (1, 100)]
)
def test_halves_go_up(coverage: float, shown: int) -> None:
    assert result_of(replace(GRADE, vital_coverage=coverage), "", "").vital_percent == shown


def test_confidence_is_told_in_words(point_grade: Callable[..., PointGrade]) -> None:
    points = tuple(point_grade(confidence=confidence) for confidence in (0.95, 0.8, 0.4))
    result = result_of(replace(GRADE, points=points), "", "")
    assert [point.confidence for point in result.groups[0].points] == ["sure", "fairly sure", "a person should look"]
    assert result.confidence == "fairly sure"


def test_a_score_just_under_a_verdict_is_not_rounded_up_to_it() -> None:
    assert str(result_of(replace(GRADE, score=79.6, verdict="partial"), "", "").score) == "79.6"
