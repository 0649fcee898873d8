from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.agreement.baseline import Likeness, best_cut, likeness
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import JudgedAnswer
from markscheme.agreement.overlap import word_overlap
from markscheme.agreement.tables import macro_f1, table


@pytest.mark.parametrize(
    ("reference", "answer", "share"),
    [
        ("An index costs space", "the index, it costs!", 0.5),
        ("index index index", "Index", 1.0),
        ("HTTP/2 multiplexes", "2 http", pytest.approx(2 / 3)),
        ("", "anything", 0.0),
        ("...", "...", 0.0),
        ("space", "", 0.0),
    ],
)
def test_the_share_of_words(reference: str, answer: str, share: float) -> None:
    assert word_overlap(reference, answer) == share


@given(st.text(), st.text())
def test_more_answer_is_never_less_overlap(reference: str, answer: str) -> None:
    assert 0 <= word_overlap(reference, answer) <= word_overlap(reference, f"{answer} {reference}") <= 1


@pytest.mark.parametrize(("are_points", "whole"), [(True, 0.5), (False, 1.0)])
def test_points_are_averaged_and_of_sample_answers_the_best_counts(are_points: bool, whole: float) -> None:  # noqa: FBT001
    answer = JudgedAnswer("a", "one", ("one", "two"), are_points=are_points, group="g", gold=Gold(score=1.0))
    assert likeness(answer, word_overlap) == Likeness((1.0, 0.0), whole)


def test_nothing_to_be_like_is_no_likeness() -> None:
    assert likeness(JudgedAnswer("a", "one", (), True, "g", Gold()), word_overlap) == Likeness((), 0.0)  # noqa: FBT003


def test_the_best_cut_parts_what_can_be_parted() -> None:
    truth, graded = np.array([True] * 10 + [False] * 30), np.concatenate([np.full(10, 0.8), np.linspace(0, 0.5, 30)])
    assert ((graded >= best_cut(truth, graded)) == truth).all()


def test_of_equal_cuts_the_lowest_is_taken() -> None:
    assert best_cut(np.array([True, True]), np.array([0.2, 0.2])) == 0.2


@pytest.mark.parametrize("made", [True, False])
def test_where_people_say_all_are_made_or_none_the_cut_says_so_too(made: bool) -> None:  # noqa: FBT001
    # As cosines are: all different, some under 0.
    graded = np.linspace(-0.4, 0.9, 100)
    assert ((graded >= best_cut(np.full(100, made), graded)) == made).all()


def test_the_cut_is_never_worse_than_calling_everything_made_or_nothing() -> None:
    graded = np.array([-0.3, 0.1, 0.2, 0.8])
    for truth in (np.array(one, np.bool_) for one in product((False, True), repeat=4)):
        found, everything, nothing = (
            macro_f1(table(truth, chosen, np.ones(4)))
            for chosen in (graded >= best_cut(truth, graded), np.full(4, fill_value=True), np.full(4, fill_value=False))
        )
        assert found >= max(everything, nothing)
