"""Marks that are turned round carry no calibration."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from markscheme.adapters.scipy_fitting import ScipyFitter
from markscheme.agreement.gold import Gold
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.calibrate import Options, calibrate
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_refusal import agreement_of_order, refuse_what_cannot_carry
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader

MakeRows = Callable[..., list[JudgedRequest]]
ReadAll = Callable[[Grader, Sequence[JudgedRequest]], list[ReadAnswer]]
Rng = np.random.Generator


def points(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(points=tuple(float(share > 0.5) for share in shares))


def inverted_points(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(points=tuple(float(share <= 0.5) for share in shares))


def inverted_score(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(score=1 - float(np.mean(shares)))


def inverted_label(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(label="incorrect" if np.mean(shares) > 0.5 else "correct")


@pytest.mark.parametrize("mark", [inverted_points, inverted_score, inverted_label])
@pytest.mark.parametrize("weights", [False, True])
def test_marks_that_are_turned_round_are_refused(
    make_rows: MakeRows, grader: Grader, mark: Callable[[Rng, Sequence[float]], Gold], *, weights: bool
) -> None:
    with pytest.raises(CalibrationRefusedError, match=r"marks run against .*correlation -.*Check that 1 stands for"):
        calibrate(make_rows(40, mark), grader, ScipyFitter(), name="ours", options=Options(weights=weights))


def test_one_answer_a_question_shows_it_too(make_rows: MakeRows, grader: Grader, read_all: ReadAll) -> None:
    answers = read_all(grader, make_rows(30, inverted_score, questions=30))
    assert agreement_of_order(answers, "score") < -0.5
    with pytest.raises(CalibrationRefusedError, match="marks run against"):
        refuse_what_cannot_carry(answers, "score")


def test_a_few_questions_of_one_mark_each_show_nothing(make_rows: MakeRows, grader: Grader, read_all: ReadAll) -> None:
    rows = [
        replace(row, judged=replace(row.judged, gold=Gold(score=0.1 * int(row.judged.group[1:]))))
        for row in make_rows(30, inverted_score, questions=3)
    ]
    answers = read_all(grader, rows)
    assert np.isnan(agreement_of_order(answers, "score"))
    refuse_what_cannot_carry(answers, "score")


def test_harder_questions_are_no_turned_marks(make_rows: MakeRows, grader: Grader, read_all: ReadAll) -> None:
    """Where people are stricter by question, only what happens inside each tells."""
    rows = make_rows(40, lambda _rng, shares: Gold(score=float(np.mean(shares)) / 10), questions=2)
    rows = [
        replace(row, judged=replace(row.judged, gold=Gold(score=0.5 + (row.judged.gold.score or 0.0))))
        if row.judged.group == "q1"
        else replace(row, request=replace(row.request, answer=f"{row.request.answer} {_first_point(row)}"))
        for row in rows
    ]
    answers = read_all(grader, rows)
    theirs = [answer.judged.gold.score or 0.0 for answer in answers]
    ours = [answer.grade.score for answer in answers]
    assert np.corrcoef(theirs, ours)[0, 1] < 0.1
    assert agreement_of_order(answers, "score") > 0.2


def _first_point(row: JudgedRequest) -> str:
    return (row.request.points or ())[0].text


def test_marks_that_follow_are_taken(make_rows: MakeRows, grader: Grader, read_all: ReadAll) -> None:
    answers = read_all(grader, make_rows(40, points))
    assert agreement_of_order(answers, "points") > 0.5
    refuse_what_cannot_carry(answers, "points")
