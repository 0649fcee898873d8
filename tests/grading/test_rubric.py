from dataclasses import replace
from typing import Any

import pytest

from markscheme.grading.rubric import Point, Rubric, Source

POINT = Point("p1", "it waits", heading="Locks", alternatives=("it blocks",), misconceptions=("it spins",), span=(0, 8))
RUBRIC = Rubric("t/q", "How?", (POINT,))


def test_a_point_is_read_with_its_heading() -> None:
    assert POINT.statement == "Locks: it waits"
    assert replace(POINT, heading=None).statement == replace(POINT, heading="").statement == "it waits"


def test_a_version_is_twelve_digits_that_stay() -> None:
    assert RUBRIC.version == Rubric("t/q", "How?", (replace(POINT),)).version
    assert len(RUBRIC.version) == 12
    assert set(RUBRIC.version) <= set("0123456789abcdef")


@pytest.mark.parametrize(
    "change",
    [
        {"id": "p2"},
        {"text": "it Waits"},
        {"heading": None},
        {"importance": "okay"},
        {"weight": 2.0},
        {"alternatives": ()},
        {"misconceptions": ("it blocks",)},
    ],
)
def test_what_can_change_a_grade_changes_the_version(change: dict[str, Any]) -> None:
    assert replace(RUBRIC, points=(replace(POINT, **change),)).version != RUBRIC.version


def test_the_question_and_the_order_change_the_version() -> None:
    other = replace(POINT, id="p2")
    assert replace(RUBRIC, question="Why?").version != RUBRIC.version
    assert replace(RUBRIC, points=(POINT, other)).version != replace(RUBRIC, points=(other, POINT)).version


def test_what_no_grade_depends_on_leaves_the_version() -> None:
    elsewhere = Rubric("u/r", "How?", (replace(POINT, span=None),), "Topic", "hard", "reviewed", Source("seeds/a.txt"))
    assert elsewhere.version == RUBRIC.version
