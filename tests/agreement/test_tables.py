import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score

from markscheme.agreement.tables import accuracy, kappa, macro_f1, table

LEVELS = 5
PAIRS = arrays(np.int64, st.tuples(st.integers(1, 40), st.just(3)), elements=st.integers(0, LEVELS - 1))


def counts_of(truth: list[int], chosen: list[int], levels: int = 2) -> Any:
    return table(np.array(truth, np.int64), np.array(chosen, np.int64), np.ones(len(truth)), levels)


@given(PAIRS)
def test_figures_are_those_of_scikit_learn(rows: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    truth, chosen, weights = rows[:, 0], rows[:, 1], (rows[:, 2] + 1).astype(np.float64)
    counts = table(truth, chosen, weights, LEVELS)
    assert accuracy(counts) == pytest.approx(accuracy_score(truth, chosen, sample_weight=weights))
    assert macro_f1(counts) == pytest.approx(f1_score(truth, chosen, average="macro", sample_weight=weights))
    if len({*truth, *chosen}) > 1:
        assert kappa(counts) == pytest.approx(cohen_kappa_score(truth, chosen, sample_weight=weights))
        told = cohen_kappa_score(truth, chosen, labels=range(LEVELS), weights="quadratic", sample_weight=weights)
        assert kappa(counts, quadratic=True) == pytest.approx(told)


@given(PAIRS)
def test_a_decision_with_weight_two_is_that_decision_twice(rows: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    truth, chosen, weights = rows[:, 0], rows[:, 1], rows[:, 2]
    weighted = table(truth, chosen, weights.astype(np.float64), LEVELS)
    repeated = table(truth.repeat(weights), chosen.repeat(weights), np.ones(int(weights.sum())), LEVELS)
    assert weighted.tolist() == repeated.tolist()


@pytest.mark.parametrize("size", [1, 3])
def test_one_class_throughout_leaves_nothing_to_correct_for_chance(size: int) -> None:
    counts = counts_of([1] * size, [1] * size)
    assert (accuracy(counts), macro_f1(counts)) == (1.0, 1.0)
    assert math.isnan(kappa(counts))
    assert math.isnan(kappa(counts, quadratic=True))


def test_a_single_wrong_choice() -> None:
    counts = counts_of([1], [0])
    assert (accuracy(counts), macro_f1(counts), kappa(counts)) == (0.0, 0.0, 0.0)


def test_nothing_gives_nothing() -> None:
    counts = counts_of([], [])
    assert all(math.isnan(value) for value in (accuracy(counts), macro_f1(counts), kappa(counts)))


def test_an_error_of_two_levels_counts_four_times() -> None:
    near, far = counts_of([0, 2, 4, 1], [1, 2, 4, 1], LEVELS), counts_of([0, 2, 4, 1], [2, 2, 4, 1], LEVELS)
    assert kappa(near, quadratic=True) > kappa(far, quadratic=True)
