"""What is told of many answers at once is what the grader decides of each."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from markscheme.agreement.arrays import Floats
from markscheme.agreement.gold import Gold
from markscheme.grading.cuts import Cuts
from markscheme.grading.rubric import Point
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_family import Scaled, Weighed
from markscheme.pipeline.calibration_marks import Marks
from markscheme.pipeline.evaluate import JudgedRequest, judged_request
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest

MakeRows = Callable[..., list[JudgedRequest]]
ReadAll = Callable[[Grader, Sequence[JudgedRequest]], list[ReadAnswer]]

NUMBERED = (
    Point("p1", "The cache holds 4096 entries of tokens", weight=2),
    Point("p2", "Commits flush the journal", importance="okay", misconceptions=("Commits keep the journal in memory",)),
)
ODD = (
    GradeRequest("The cache holds 512 entries of tokens. Commits flush the journal.", points=NUMBERED),
    GradeRequest("The cache holds 4096 entries of tokens. Commits keep the journal in memory.", points=NUMBERED),
    GradeRequest("", points=NUMBERED),
    GradeRequest("Entries of tokens", points=NUMBERED),
    GradeRequest("Kobavuti lasorime sadupanu.", question_id="made/up"),
)


def unmarked(_rng: np.random.Generator, _shares: Sequence[float]) -> Gold:
    return Gold(score=0.5)


def odd_rows() -> list[JudgedRequest]:
    return [judged_request(request, Gold(score=0.5), None, line) for line, request in enumerate(ODD, 1)]


@pytest.fixture(scope="module")
def rows(make_rows: MakeRows) -> list[JudgedRequest]:
    by_points = make_rows(12, unmarked, negate=0.3)
    return by_points + make_rows(12, unmarked, by_sample=True, seed=1) + odd_rows()


def assert_told_alike(marks: Marks, numbers: Floats, grader: Grader, answers: Sequence[ReadAnswer]) -> None:
    """Every score and verdict, and every coverage of the rubric that counts."""
    outcome = marks.outcome(marks.coverage(numbers), grader.calibration.cuts)
    for place, answer in enumerate(answers):
        grade = grader.grade(answer.request)
        assert grade.score / 100 == pytest.approx(outcome.score[place], abs=2e-3), answer.request
        assert (grade.verdict == "correct") == outcome.correct[place], answer.request
        assert (grade.verdict == "contradictory") == outcome.contradictory[place], answer.request


def test_the_odd_answers_are_odd(grader: Grader, read_all: ReadAll) -> None:
    """Else the tests below would say less than they seem to."""
    answers = read_all(grader, odd_rows())
    marks = Marks.of(answers, grader.calibration, Scaled(grader.calibration))
    assert marks.halved.tolist() == [True, *[False] * 9]
    assert marks.wrong.tolist() == [False, False, False, True, *[False] * 6]
    assert marks.read.tolist() == [True] * 4 + [False] * 2 + [True] * 4


def test_nothing_changed_is_the_grade_as_it_stands(
    grader: Grader, read_all: ReadAll, rows: list[JudgedRequest]
) -> None:
    answers = read_all(grader, rows)
    for family in (Scaled(grader.calibration), Weighed(grader.calibration)):
        marks = Marks.of(answers, grader.calibration, family)
        assert_told_alike(marks, family.start, grader, answers)
    for answer in answers:
        assert grader.grade(answer.request) == replace(answer.rubrics[answer.best].grade, id=answer.request.id)


@pytest.mark.parametrize(
    ("numbers", "cuts"),
    [((1.7, 0.4), Cuts(0.5, 0.2)), ((0.4, -0.5), Cuts(0.25, 0.15)), ((1.0, 2.0), Cuts(0.9, 0.45))],
)
def test_a_scaled_calibration_grades_as_it_was_told(
    grader: Grader, read_all: ReadAll, rows: list[JudgedRequest], numbers: tuple[float, float], cuts: Cuts
) -> None:
    answers = read_all(grader, rows)
    family = Scaled(grader.calibration)
    marks = Marks.of(answers, grader.calibration, family)
    other = replace(grader, calibration=replace(family.member(np.array(numbers)), cuts=cuts))
    # Which misconceptions are said may change with the calibration, and whether a number holds a point down shows only
    # where it does now.
    steady = [place for place, answer in enumerate(answers) if answer.request.points != NUMBERED]
    chosen = [answers[place] for place in steady]
    assert len(chosen) > 20
    assert_told_alike(Marks.of(chosen, grader.calibration, family), np.array(numbers), other, chosen)
    assert marks.coverage(np.array(numbers)).min() == 0


def test_other_weights_grade_as_they_were_told(make_rows: MakeRows, grader: Grader, read_all: ReadAll) -> None:
    answers = read_all(grader, make_rows(12, unmarked) + make_rows(12, unmarked, by_sample=True))
    family = Weighed(grader.calibration)
    numbers = family.start * 1.4 + 0.05
    other = replace(grader, calibration=family.member(numbers))
    assert_told_alike(Marks.of(answers, grader.calibration, family), numbers, other, answers)
    assert len(numbers) == len(grader.calibration.coverage.features)
    assert other.calibration.coverage.weights[-1] == grader.calibration.coverage.weights[-1]


def test_contradictions_that_a_verifier_finds_are_told(
    make_rows: MakeRows, verifying: Grader, read_all: ReadAll
) -> None:
    answers = read_all(verifying, make_rows(15, unmarked, negate=0.4))
    family = Scaled(verifying.calibration)
    marks = Marks.of(answers, verifying.calibration, family)
    told = marks.outcome(marks.coverage(family.start), verifying.calibration.cuts)
    assert 0 < told.contradictory.sum() < len(answers)
    assert_told_alike(marks, family.start, verifying, answers)
    stricter = replace(family.member(np.array([1.2, -0.3])), cuts=Cuts(0.6, 0.3, 0.45))
    assert_told_alike(marks, np.array([1.2, -0.3]), replace(verifying, calibration=stricter), answers)
    never = marks.outcome(marks.coverage(family.start), Cuts(0.5, 0.2, None))
    assert not never.contradictory.any()
