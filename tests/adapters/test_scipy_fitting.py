import numpy as np
import pytest

from markscheme.adapters.scipy_fitting import ScipyFitter, fit
from markscheme.agreement.arrays import Floats
from markscheme.grading.errors import CalibrationRefusedError


def bowl(numbers: Floats) -> tuple[float, Floats]:
    """Lowest at 3 and -2."""
    gap = numbers - np.array([3.0, -2.0])
    return float(gap @ gap), 2 * gap


def test_the_lowest_place_is_found() -> None:
    assert ScipyFitter().lowest(bowl, np.zeros(2), [None, None]) == pytest.approx([3, -2], abs=1e-5)


def test_no_number_goes_under_its_bound() -> None:
    assert ScipyFitter().lowest(bowl, np.zeros(2), [None, 0.0]) == pytest.approx([3, 0], abs=1e-5)
    assert ScipyFitter().lowest(bowl, np.zeros(2), [4.0, None]) == pytest.approx([4, -2], abs=1e-5)


def test_a_loss_without_a_bottom_is_refused() -> None:
    def odd(numbers: Floats) -> tuple[float, Floats]:
        return float("nan"), np.full_like(numbers, np.nan)

    with pytest.raises(CalibrationRefusedError, match="no number"):
        ScipyFitter().lowest(odd, np.array([np.nan]), [None])


def test_a_regression_finds_the_weights_that_made_the_shares() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal([1.0, -2.0, 0.0], [1.0, 3.0, 0.5], (4000, 3))
    made = 1 / (1 + np.exp(-(0.5 * table[:, 0] + 0.4 * table[:, 1] - 1.0)))
    found = fit(table, made, np.ones(len(table)))
    assert found.weights / found.scale == pytest.approx([0.5, 0.4, 0.0], abs=0.02)
    assert found.intercept - (found.weights * found.centre / found.scale).sum() == pytest.approx(-1.0, abs=0.05)
    assert found.centre == pytest.approx(table.mean(axis=0))


def test_no_weight_is_negative_and_rows_count_by_their_weight() -> None:
    table = np.array([[0.0], [1.0], [0.0], [1.0]])
    made = np.array([1.0, 0.0, 0.0, 1.0])
    against = fit(table, made, np.array([1.0, 1.0, 0.0, 0.0]))
    assert against.weights.tolist() == [0.0]
    assert fit(table, made, np.array([0.1, 0.1, 1.0, 1.0])).weights[0] > 0.5
