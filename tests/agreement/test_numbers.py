import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr
from sklearn.calibration import calibration_curve
from sklearn.metrics import root_mean_squared_error

from markscheme.agreement.numbers import calibration_error, mean, pearson, reliability, rmse

Array = np.ndarray[Any, np.dtype[np.float64]]
PAIRS = arrays(
    np.float64, st.tuples(st.integers(2, 40), st.just(2)), elements=st.integers(0, 1000).map(lambda whole: whole / 1000)
)


@given(PAIRS)
def test_the_correlation_is_that_of_scipy(rows: Array) -> None:
    truth, graded = rows[:, 0], rows[:, 1]
    found = pearson(truth, graded, np.ones(len(rows)))
    if np.ptp(truth) == 0 or np.ptp(graded) == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(pearsonr(truth, graded).statistic, abs=1e-9)


@given(PAIRS, st.data())
def test_weights_count_as_repetitions(rows: Array, data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    truth, graded = rows[:, 0], rows[:, 1]
    again = truth.repeat(weights), graded.repeat(weights), np.ones(int(weights.sum()))
    for figure in (pearson, rmse):
        found = figure(truth, graded, weights.astype(np.float64))
        assert found == pytest.approx(figure(*again), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("constant", [0.1, 0.3, 1 / 3])
def test_constant_scores_have_no_correlation_whatever_rounding_makes_of_their_mean(constant: float) -> None:
    truth = np.full(7, constant)
    assert math.isnan(pearson(truth, np.linspace(0, 1, 7), np.ones(7)))
    assert math.isnan(pearson(np.linspace(0, 1, 7), truth, np.ones(7)))


def test_one_answer_and_none() -> None:
    one = np.array([0.5])
    assert math.isnan(pearson(one, one, np.ones(1)))
    assert rmse(one, np.array([0.25]), np.ones(1)) == 0.25
    nothing = np.zeros(0)
    assert all(math.isnan(value) for value in (pearson(nothing, nothing, nothing), rmse(nothing, nothing, nothing)))
    assert math.isnan(mean(nothing, nothing))
    assert math.isnan(calibration_error(nothing.astype(np.bool_), nothing, nothing))


def test_numbers_too_near_each_other_to_be_squared_have_no_correlation() -> None:
    tiny = np.array([0.0, 1e-200])
    assert math.isnan(pearson(tiny, tiny, np.ones(2)))


@given(PAIRS)
def test_the_error_is_that_of_scikit_learn(rows: Array) -> None:
    assert rmse(rows[:, 0], rows[:, 1], np.ones(len(rows))) == pytest.approx(
        root_mean_squared_error(rows[:, 0], rows[:, 1])
    )


@given(PAIRS)
def test_bins_are_those_of_scikit_learn(rows: Array) -> None:
    # Its bins are closed above, ours below: no value stands on a border.
    truth, coverage = rows[:, 0] > 0.5, np.clip(rows[:, 1] * 0.99 + 0.0005, 0, 1)
    coverage = np.where(np.isclose(coverage * 10, np.rint(coverage * 10)), coverage + 0.001, coverage)
    made, means = calibration_curve(truth, coverage, n_bins=10)
    found = reliability(truth, coverage)
    assert [one.share_made for one in found] == pytest.approx(made)
    assert [one.mean_coverage for one in found] == pytest.approx(means)
    assert sum(one.count for one in found) == len(rows)
    error = sum(one.count * abs(one.mean_coverage - one.share_made) for one in found) / len(rows)
    assert calibration_error(truth, coverage, np.ones(len(rows))) == pytest.approx(error)


def test_what_is_sure_and_right_has_no_error_and_a_coverage_of_one_is_in_the_last_bin() -> None:
    truth, coverage = np.array([True, False]), np.array([1.0, 0.0])
    assert calibration_error(truth, coverage, np.ones(2)) == 0.0
    assert [(one.low, one.high) for one in reliability(truth, coverage)] == [(0.0, 0.1), (0.9, 1.0)]
    assert calibration_error(~truth, coverage, np.ones(2)) == 1.0
