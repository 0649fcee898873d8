from typing import Any

import numpy as np
import pytest

from markscheme.grading.contrast import contrast, decisive


def leanings(bench: Any, right: str, wrong: str, *sentences: str) -> list[float]:
    answer = bench.answer(*sentences)
    return list(contrast(bench.align(wrong, answer), bench.align(right, answer)))


def test_decisive_words_are_those_the_other_has_not(bench: Any) -> None:
    one = bench.statement("The minima are not sharp")
    other = bench.statement("Those minima are flat")
    assert decisive(one, other).tolist() == [False, False, False, True, True]
    assert decisive(other, one).tolist() == [False, False, False, True]
    assert not decisive(one, one).any()


def test_decisive_words_of_nothing_are_none(bench: Any) -> None:
    found = decisive(bench.statement("…"), bench.statement("flat"))
    assert found.dtype == np.bool_
    assert found.shape == (0,)


def test_a_passage_leans_to_what_it_says(bench: Any) -> None:
    right, wrong = "Large batches find sharp minima", "Large batches find flat minima"
    found = leanings(bench, right, wrong, f"{wrong}.", f"{right}.", f"{right}; {wrong}.", "Large batches find minima.")
    assert found[:3] == pytest.approx([1, -1, 0])
    assert abs(found[3]) < 0.2


def test_a_point_that_lost_its_negation_leans_against_it(bench: Any) -> None:
    right, wrong = "Dropout is never used at inference", "Dropout is used at inference"
    assert leanings(bench, right, wrong, f"{wrong}.", f"{right}.") == pytest.approx([1, 0])


def test_a_point_that_gained_a_negation_leans_against_it(bench: Any) -> None:
    right, wrong = "The statistics depend on the batch", "The statistics do not depend on the batch"
    assert leanings(bench, right, wrong, f"{wrong}.", f"{right}.") == pytest.approx([1, -1])


def test_statements_of_the_same_words_never_speak_for_the_misconception(bench: Any) -> None:
    assert leanings(bench, "Cats chase dogs", "Dogs chase cats", "Dogs chase cats.")[0] <= 0
