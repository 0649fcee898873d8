"""A logistic regression whose weights are never negative: a word more found never makes a point less likely."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Table = NDArray[np.float64]

RIDGE = 1e-4


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights over features brought to mean 0 and deviation 1; see grading/coverage.py for the other side."""

    centre: Table
    scale: Table
    weights: Table
    intercept: float


def fit(table: Table, made: Table, row_weights: Table) -> Fit:
    """Maximum likelihood with a small ridge. `table` is (n, features), the others (n,); `made` may hold shares."""
    centre, scale = table.mean(axis=0), table.std(axis=0) + 1e-9
    standard = (table - centre) / scale
    share = row_weights / row_weights.sum()

    def loss(theta: Table) -> tuple[float, Table]:
        weights, logits = theta[:-1], standard @ theta[:-1] + theta[-1]
        errors = share * (1.0 / (1.0 + np.exp(-logits)) - made)
        value = share @ (np.logaddexp(0.0, logits) - made * logits) + RIDGE * (weights @ weights)
        return float(value), np.append(standard.T @ errors + 2 * RIDGE * weights, errors.sum())

    count = table.shape[1]
    bounds = [(0.0, None)] * count + [(None, None)]
    theta = minimize(loss, np.zeros(count + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    return Fit(centre, scale, theta[:-1], float(theta[-1]))
