from dataclasses import replace
from typing import Any

import pytest

from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import PointGrade, PointStatus
from markscheme.grading.review import FAR, answer_reasons, confidence_of, review_reasons

CUTS = Cuts(covered=0.6, partial=0.2)


def graded(coverage: float, weight: float = 1.0, status: PointStatus = "partial", name: str = "p1") -> PointGrade:
    return PointGrade(name, "text", "vital", weight, status, coverage, 0.5, "similarity")


def test_clear_grades_stand_alone() -> None:
    assert review_reasons([], CUTS) == ()
    assert review_reasons([graded(0.95), graded(0.0), graded(0.3)], CUTS) == ()


@pytest.mark.parametrize("coverage", [0.59, 0.6, 0.61])
def test_points_at_the_upper_cut_are_close_calls(coverage: float) -> None:
    (reason,) = review_reasons([graded(coverage), graded(0.95)], CUTS)
    assert reason == "1 of 2 points are close calls; they carry 50% of the score."


def test_a_close_call_on_a_light_point_is_nothing_to_review() -> None:
    assert review_reasons([graded(0.6, weight=1), graded(0.95, weight=9)], CUTS) == ()
    assert review_reasons([graded(0.6, weight=9), graded(0.95, weight=1)], CUTS) != ()


def test_points_that_weigh_nothing_are_no_division_by_it() -> None:
    assert review_reasons([graded(0.6, weight=0)], CUTS) == ()


def test_each_contradiction_is_looked_at() -> None:
    points = [graded(0.05, status="contradicted", name=name) for name in ("a", "b")]
    assert review_reasons([*points, graded(0.95)], CUTS) == ("Point a is contradicted.", "Point b is contradicted.")


def test_confidence_is_the_mean_by_weight() -> None:
    points = [replace(graded(0.9, weight=3), confidence=0.9), replace(graded(0.1, weight=1), confidence=0.5)]
    assert confidence_of(points) == pytest.approx(0.8)
    # Weighs nothing on either side.
    unread = replace(graded(0.0, weight=90, status="not_assessed"), confidence=0.0)
    assert confidence_of([*points, unread]) == pytest.approx(0.8)


def test_of_nothing_there_is_no_confidence() -> None:
    assert confidence_of([]) == 0
    assert confidence_of([graded(0.9, status="not_assessed")]) == 0
    assert confidence_of([graded(0.9, weight=0)]) == 0


HONEST = "Large batches are less noisy, so they need fewer steps, but they often settle in a sharper minimum."


@pytest.mark.parametrize(
    "answer",
    [
        "batch size noise minima sharp flat learning rate warmup linear scaling BatchNorm generalization budget",
        "Große Batches landen häufiger neben scharfen Minima und verallgemeinern deshalb schlechter auf neue Daten.",
        "Les grands lots convergent vers des minima aigus et généralisent moins bien que les petits sur nos données.",
    ],
)
def test_lists_and_other_languages_are_for_a_person(bench: Any, answer: str) -> None:
    (reason,) = answer_reasons(bench.answer(answer), 0.9)
    assert reason.endswith("of the words join others in English: a list, or another language.")
    assert answer_reasons(bench.answer(HONEST), 0.9) == ()


def test_an_answer_far_from_the_rubric_is_for_a_person(bench: Any) -> None:
    assert answer_reasons(bench.answer(HONEST), FAR) == ()
    (reason,) = answer_reasons(bench.answer(HONEST), FAR - 0.01)
    assert reason.startswith("No passage comes near the rubric")


def test_of_a_few_words_nothing_is_said_as_a_whole(bench: Any) -> None:
    assert answer_reasons(bench.answer("Sharp minima, noise, warmup"), 0.0) == ()
    assert answer_reasons(bench.answer(), -1.0) == ()
