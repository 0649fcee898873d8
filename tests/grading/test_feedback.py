import pytest

from markscheme.grading.feedback import feedback
from markscheme.grading.grade import Evidence, PointGrade, PointStatus
from markscheme.grading.rubric import Importance


def graded(text: str, status: PointStatus, importance: Importance = "vital") -> PointGrade:
    evidence = (Evidence(0, 5, "I say"),) if status == "contradicted" else ()
    return PointGrade(text, text, importance, 1.0, status, 0.5, 0.5, "similarity", evidence)


def test_feedback_in_full() -> None:
    points = [
        graded("Locks wait.", "covered"),
        graded("Reads are free;", "partial"),
        graded("Writes block", "missing"),
        graded("Logs are cheap", "missing", "okay"),
        graded("Commits are final.", "contradicted"),
    ]
    assert feedback(points) == (
        "The answer makes 1 of 5 points in full. "
        "It says the opposite of: Commits are final. It reads: “I say”. "
        "Touched, but not made in full: Reads are free. "
        "Missing and vital: Writes block. "
        "Also missing: Logs are cheap."
    )


def test_only_what_there_is_is_spoken_of() -> None:
    assert feedback([graded("a", "covered"), graded("b", "covered")]) == "The answer makes 2 of 2 points in full."


@pytest.mark.parametrize(("count", "rest"), [(4, "d."), (5, "d; and 1 more."), (7, "d; and 3 more.")])
def test_a_long_list_is_counted_not_told(count: int, rest: str) -> None:
    told = feedback([graded(letter, "missing") for letter in "abcdefg"[:count]])
    assert told == f"The answer makes 0 of {count} points in full. Missing and vital: a; b; c; {rest}"
