import json
from collections.abc import Callable
from typing import Any

import pytest

from markscheme.adapters.graded_files import read_grades
from markscheme.agreement.judged import OurGrade, OurPoint
from markscheme.grading.errors import InputError
from markscheme.pipeline.given_grades import GivenGrade, Quote

Reader = Callable[[bytes | str], object]
POINT: dict[str, Any] = {
    "id": "p1",
    "text": "A point.",
    "status": "covered",
    "coverage": 0.65,
    "weight": 3,
    "evidence": [{"start": 1, "end": 4, "text": "abc"}],
}
GRADE: dict[str, Any] = {"id": "a", "score": 75.0, "verdict": "partial", "points": [POINT]}


def lines(*rows: object) -> list[tuple[int, bytes | None]]:
    return [(number, json.dumps(row).encode()) for number, row in enumerate(rows, start=1)]


def test_grades_by_id_and_no_error_lines(json_reader: Reader) -> None:
    told = {**GRADE, "id": "b", "confidence": 0.9, "points": [{**POINT, "confidence": 0.8}]}
    error = {"id": "c", "line": 2, "error": {"code": "malformed_json", "message": "Broken."}}
    found = read_grades(lines(GRADE, error, told), "out.jsonl", json_reader)
    # An older grade says not how sure it is: half way between the cut and certain.
    older = found.grades["a"].grade
    assert (older.confidence, older.points[0].confidence) == pytest.approx((0.75, 0.75))
    newer = OurPoint("A point.", "covered", 0.65, 0.8, ((1, 4),))
    assert list(found.grades) == ["a", "b"]
    assert found.grades["b"] == GivenGrade(
        "out.jsonl:3", OurGrade(75.0, "partial", (newer,), 0.9), ("p1",), (Quote(1, 4, "abc"),)
    )
    assert found.errors == {"c": "out.jsonl:2 is an error: Broken."}


def test_what_a_grade_tells_of_its_request(json_reader: Reader) -> None:
    versions = {"markscheme": "0.1.0", "splitter": "s", "calibration": "c"}
    told = {**GRADE, "question_id": "db/q", "rubric_version": "0123456789ab", "grader": versions}
    other = {**told, "id": "b", "question_id": 7, "rubric_version": None, "grader": "me", "points": []}
    found = read_grades(lines(told, other), "o", json_reader).grades
    assert (found["a"].question_id, found["a"].rubric_version) == ("db/q", "0123456789ab")
    assert (found["a"].markscheme, found["a"].splitter) == ("0.1.0", "s")
    assert found["b"] == GivenGrade("o:2", found["b"].grade, ())


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"message": "Two\n lines."}, "Two lines."),
        ({"message": "x" * 500}, "x" * 200 + "..."),
        ("Broken.", "Broken."),
        ({"code": "error"}, "it does not say why."),
    ],
)
def test_the_reason_of_an_error_takes_one_line(error: object, reason: str, json_reader: Reader) -> None:
    found = read_grades(lines({"id": "a", "error": error}, {"id": None, "error": error}), "o", json_reader)
    assert found.errors == {"a": f"o:1 is an error: {reason}"}


def test_the_confidence_of_an_older_answer_is_that_of_its_points_by_weight(json_reader: Reader) -> None:
    points = [{**POINT, "confidence": 1.0}, {**POINT, "confidence": 0.5, "weight": 1}]
    found = read_grades(lines({**GRADE, "points": points}, {**GRADE, "id": "none", "points": []}), "o", json_reader)
    assert [one.grade.confidence for one in found.grades.values()] == [0.875, 0.0]


def test_what_a_page_does_not_need_may_be_missing(json_reader: Reader) -> None:
    bare = {"status": "missing", "coverage": 0}
    found = read_grades(lines({**GRADE, "points": [bare]}), "out.jsonl", json_reader)
    assert found.grades["a"].grade.points == (OurPoint("", "missing", 0.0, 1.0),)


@pytest.mark.parametrize(
    "row",
    [
        [],
        {**GRADE, "id": None},
        {**GRADE, "score": 101},
        {**GRADE, "score": "75"},
        {**GRADE, "verdict": "good"},
        {**GRADE, "points": None},
        {**GRADE, "points": ["p"]},
        {**GRADE, "points": [{**POINT, "status": "perhaps"}]},
        {**GRADE, "points": [{**POINT, "coverage": 1.5}]},
        {**GRADE, "points": [{**POINT, "evidence": [{"start": "1", "end": 2}]}]},
        {"id": "a", "answer": "not a grade"},
    ],
)
def test_what_is_no_grade_is_refused_with_its_line(row: object, json_reader: Reader) -> None:
    with pytest.raises(InputError, match=r"out\.jsonl:2 is no grade of an answer with an id"):
        read_grades(lines({**GRADE, "id": "first"}, row), "out.jsonl", json_reader)


@pytest.mark.parametrize("content", [None, b"", b"{"])
def test_broken_lines_are_refused(content: bytes | None, json_reader: Reader) -> None:
    with pytest.raises(InputError, match=r"out\.jsonl:5 is no grade"):
        read_grades([(5, content)], "out.jsonl", json_reader)


def test_a_second_grade_of_an_answer_is_refused(json_reader: Reader) -> None:
    with pytest.raises(InputError, match=r"out\.jsonl:2 is a second grade of 'a'"):
        read_grades(lines(GRADE, GRADE), "out.jsonl", json_reader)
