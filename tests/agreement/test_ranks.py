import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata, spearmanr
from sklearn.metrics import roc_auc_score

from markscheme.agreement.ranks import auc_measure, ranks, spearman, within_groups_measure

# Few values, so that there are ties.
NUMBERS = arrays(np.float64, st.tuples(st.integers(1, 40), st.just(3)), elements=st.sampled_from([0.0, 0.1, 0.25, 1.0]))
Array = np.ndarray[Any, np.dtype[np.float64]]


@given(NUMBERS)
def test_the_area_is_that_of_scikit_learn(rows: Array) -> None:
    truth, graded, weights = rows[:, 0] > 0.1, rows[:, 1], rows[:, 2] + 0.5
    found = auc_measure(truth, graded)(weights)
    if len(set(truth.tolist())) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(roc_auc_score(truth, graded, sample_weight=weights))


@given(NUMBERS)
def test_the_other_way_round_the_area_is_the_rest(rows: Array) -> None:
    truth, graded, weights = rows[:, 0] > 0.1, rows[:, 1], rows[:, 2] + 0.5
    found, turned = auc_measure(truth, graded)(weights), auc_measure(truth, -graded)(weights)
    assert math.isnan(found) or found + turned == pytest.approx(1.0)


def test_equal_values_have_half_the_area_and_no_values_none() -> None:
    assert auc_measure(np.array([True, False, False]), np.full(3, 0.7))(np.ones(3)) == 0.5
    assert math.isnan(auc_measure(np.zeros(0, np.bool_), np.zeros(0))(np.zeros(0)))


def test_a_class_that_no_draw_took_leaves_the_area_undefined() -> None:
    measure = auc_measure(np.array([True, False]), np.array([0.9, 0.1]))
    assert measure(np.ones(2)) == 1.0
    assert math.isnan(measure(np.array([2.0, 0.0])))


@given(NUMBERS)
def test_ranks_and_their_correlation_are_those_of_scipy(rows: Array) -> None:
    truth, graded = rows[:, 0], rows[:, 1]
    assert ranks(truth).tolist() == rankdata(truth).tolist()
    found = spearman(truth, graded)
    if len(set(truth.tolist())) == 1 or len(set(graded.tolist())) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(truth, graded).statistic)


def test_the_mean_over_groups_leaves_out_those_that_say_nothing() -> None:
    truth = np.array([0.0, 1.0, 0.0, 1.0, 0.5, 0.5])
    graded = np.array([0.2, 0.4, 0.9, 0.1, 0.3, 0.8])
    groups = np.array([0, 0, 1, 1, 2, 2])
    measure = within_groups_measure(truth, graded, groups)
    assert measure(np.ones(6)) == pytest.approx(0.0)
    # The first group drawn three times, the second once.
    assert measure(np.array([3.0, 3.0, 1.0, 1.0, 0.0, 0.0])) == pytest.approx(0.5)
    assert math.isnan(measure(np.array([0.0, 0.0, 0.0, 0.0, 3.0, 3.0])))


def test_without_any_group_that_varies_there_is_no_mean() -> None:
    assert math.isnan(within_groups_measure(np.ones(2), np.zeros(2), np.array([0, 1]))(np.ones(2)))
