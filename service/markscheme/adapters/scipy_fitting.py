"""Fitting with scipy.optimize, for `markscheme calibrate` and for the programs in evaluation/."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from markscheme.agreement.arrays import Floats
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.ports import Fitter

RIDGE = 1e-4


class ScipyFitter(Fitter):
    """L-BFGS-B: the same loss and start give the same place."""

    def lowest(
        self, loss: Callable[[Floats], tuple[float, Floats]], start: Floats, bounds: Sequence[float | None]
    ) -> Floats:
        """Where a smooth loss is lowest. Raises CalibrationRefusedError where it has no bottom."""
        limits = [(bound, None) for bound in bounds]
        found: Floats = np.asarray(minimize(loss, start, jac=True, bounds=limits, method="L-BFGS-B").x)
        if not np.isfinite(found).all():
            message = "The marks cannot be fitted: no number makes the loss smallest. Check the file for odd marks."
            raise CalibrationRefusedError(message)
        return found


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights over features brought to mean 0 and deviation 1; see grading/logistic.py for the other side."""

    centre: Floats
    scale: Floats
    weights: Floats
    intercept: float


def fit(table: Floats, made: Floats, row_weights: Floats) -> Fit:
    """A logistic regression whose weights are never negative: a word more found never makes a point less likely.

    Maximum likelihood with a small ridge. `table` is (n, features), the others (n,); `made` may hold shares.
    """
    centre, scale = table.mean(axis=0), table.std(axis=0) + 1e-9
    standard = (table - centre) / scale
    share = row_weights / row_weights.sum()

    def loss(theta: Floats) -> tuple[float, Floats]:
        weights, logits = theta[:-1], standard @ theta[:-1] + theta[-1]
        errors = share * (1.0 / (1.0 + np.exp(-logits)) - made)
        value = share @ (np.logaddexp(0.0, logits) - made * logits) + RIDGE * (weights @ weights)
        return float(value), np.append(standard.T @ errors + 2 * RIDGE * weights, errors.sum())

    count = table.shape[1]
    theta = ScipyFitter().lowest(loss, np.zeros(count + 1), [0.0] * count + [None])
    return Fit(centre, scale, theta[:-1], float(theta[-1]))
