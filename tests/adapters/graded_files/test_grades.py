import json
from collections.abc import Callable
from typing import Any

import pytest

from markscheme.adapters.graded_files import read_grades
from markscheme.agreement.judged import OurGrade, OurPoint
from markscheme.grading.errors import InputError

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
    assert (found["a"].confidence, found["a"].points[0].confidence) == pytest.approx((0.75, 0.75))
    newer = OurPoint("A point.", "covered", 0.65, 0.8, ((1, 4),))
    assert found == {"a": found["a"], "b": OurGrade(75.0, "partial", (newer,), 0.9)}


def test_the_confidence_of_an_older_answer_is_that_of_its_points_by_weight(json_reader: Reader) -> None:
    points = [{**POINT, "confidence": 1.0}, {**POINT, "confidence": 0.5, "weight": 1}]
    found = read_grades(lines({**GRADE, "points": points}, {**GRADE, "id": "none", "points": []}), "o", json_reader)
    assert (found["a"].confidence, found["none"].confidence) == (0.875, 0.0)


def test_what_a_page_does_not_need_may_be_missing(json_reader: Reader) -> None:
    bare = {"status": "missing", "coverage": 0}
    found = read_grades(lines({**GRADE, "points": [bare]}), "out.jsonl", json_reader)
    assert found["a"].points == (OurPoint("", "missing", 0.0, 1.0),)


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
