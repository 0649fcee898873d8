from typing import Any

import pytest

from markscheme.grading.marking import MarkingScheme
from markscheme.grading.rubric import Point, Rubric

POINTS = (
    Point("a", "it waits", heading="Locks", alternatives=("it blocks",), misconceptions=("it spins",)),
    Point("b", "reads are free", misconceptions=("reads lock", "reads wait")),
)


def test_statements_are_grouped_by_their_point(bench: Any) -> None:
    first, second = bench.scheme(*POINTS).points
    assert [one.statement.text for one in first.making] == ["Locks: it waits", "Locks: it blocks"]
    assert [one.statement.text for one in first.contradicting] == ["Locks: it spins"]
    assert [one.statement.text for one in second.making] == ["reads are free"]
    assert [one.row for one in (*first.making, *first.contradicting)] == [0, 2, 3]
    assert [one.row for one in (*second.making, *second.contradicting)] == [1, 4, 5]
    assert (first.point, second.point) == POINTS


def test_the_question_gives_its_stems_away(bench: Any) -> None:
    scheme = bench.scheme(*POINTS, question="Do ﬁne locks wait?")
    assert {"fine", "lock", "wait"} <= scheme.given
    lock, _, waits = scheme.points[0].making[0].statement.weights
    free = scheme.points[1].making[0].statement.weights[-1]
    assert lock < 0.5
    assert waits < free


def test_words_of_all_points_are_compared_in_their_normal_form(bench: Any) -> None:
    scheme = bench.scheme(*(Point(str(n), f"ﬁne word{n}") for n in range(4)))
    assert scheme.points[0].making[0].statement.text == "fine word0"
    common, own = scheme.points[0].making[0].statement.weights
    assert common < own


def test_rows_without_embeddings_are_a_mistake(bench: Any) -> None:
    with pytest.raises(ValueError, match="zip"):
        MarkingScheme.of(Rubric("t/q", "", POINTS), [(0, False, "it waits")], [], bench.stem)
