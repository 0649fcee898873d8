from dataclasses import replace

import pytest

from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.agreement.judged import OurGrade, OurPoint
from markscheme.grading.rubric import Point
from markscheme.pipeline.given_grades import Drafts, GivenGrade, Quote, lacking, misfit
from markscheme.pipeline.request import GradeRequest

DRAFTS = Drafts(SentencexSplitter())
BY_POINTS = GradeRequest("One, two.", points=(Point("p1", "It waits", heading="Locks"), Point("p2", "It writes.")))
BY_SAMPLES = GradeRequest("One, two.", sample_answers=("## __Locks__\n\nIt waits.", "It writes the log. It reads."))
BY_ID = GradeRequest("One, two.", question_id="db/q")


def given(*texts: str, **told: object) -> GivenGrade:
    points = tuple(OurPoint(text, "missing", 0.0, 1.0) for text in texts)
    silent = GivenGrade("g:1", OurGrade(0.0, "incorrect", points, 1.0), (None,) * len(points))
    return replace(silent, **told)  # type: ignore[arg-type]  # each test gives the fields that it is about


@pytest.mark.parametrize(
    ("request_of_it", "grade"),
    [
        (BY_POINTS, given("", "")),
        (BY_POINTS, given("Locks: It waits", "It writes.", point_ids=("p1", "p2"), question_id="inline")),
        (BY_POINTS, given("It waits", "It writes.")),
        (BY_POINTS, given("It waits")),
        # Another release may count a version otherwise.
        (BY_POINTS, given("It waits", "It writes.", rubric_version="0", markscheme="0.0.1")),
        (BY_SAMPLES, given("Locks: It waits", question_id="inline")),
        (BY_SAMPLES, given("It reads.", "It writes the log")),
        (BY_SAMPLES, given("It waits", rubric_version="0")),
        (BY_SAMPLES, given()),
        (BY_ID, given("Anything", question_id="db/q", rubric_version="0")),
        (BY_ID, given("Anything", quotes=(Quote(0, 3, "One"), Quote(0, 9), Quote(9, 9, "")))),
    ],
)
def test_what_a_grade_does_not_tell_is_no_misfit(request_of_it: GradeRequest, grade: GivenGrade) -> None:
    assert misfit(request_of_it, grade, DRAFTS) is None


@pytest.mark.parametrize(
    ("request_of_it", "grade", "said"),
    [
        (BY_POINTS, given("Locks: It waits", "It reads."), "its point 2 is 'It reads.', the row's 'It writes.'"),
        (BY_POINTS, given("Other: It waits"), "its point 1 is 'Other: It waits', the row's 'Locks: It waits'"),
        (BY_POINTS, given("", "", point_ids=("p1", "p3")), "its point 2 is called 'p3', the row's 'p2'"),
        (BY_POINTS, given("", "", ""), "it has 3 points, the row 2"),
        (BY_POINTS, given("", "", rubric_version="0"), "its rubric is '0', the row's '"),
        (BY_POINTS, given("x" * 80), f"its point 1 is '{'x' * 60}...', the row's"),
        (BY_SAMPLES, given("It waits", "It writes"), "its point 'It writes' does not come from a sample answer"),
        (BY_SAMPLES, given(question_id="db/q"), "by the question 'db/q', the row by a sample answer of its own"),
        (BY_ID, given(question_id="db/r"), "it was marked by the question 'db/r', the row by the question 'db/q'"),
        (BY_ID, given(quotes=(Quote(0, 3, "Two"),)), "its evidence 'Two' does not stand at characters 0 to 3 of"),
        (BY_ID, given(quotes=(Quote(5, 10),)), "its evidence does not stand at characters 5 to 10 of"),
        (BY_ID, given(quotes=(Quote(-1, 3),)), "its evidence does not stand at characters -1 to 3 of"),
        (BY_ID, given(quotes=(Quote(3, 1, ""),)), "its evidence '' does not stand at characters 3 to 1 of"),
    ],
)
def test_what_does_not_fit_is_told(request_of_it: GradeRequest, grade: GivenGrade, said: str) -> None:
    assert said in (misfit(request_of_it, grade, DRAFTS) or "")


@pytest.mark.parametrize(("request_of_it", "lacks"), [(BY_POINTS, 1), (BY_SAMPLES, 0), (BY_ID, 0)])
def test_only_points_of_the_request_can_be_lacking(request_of_it: GradeRequest, lacks: int) -> None:
    assert lacking(request_of_it, given("")) == lacks
