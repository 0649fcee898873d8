"""Coverage: from what was measured of a point to the probability that a person would say the answer makes it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.score import Cuts


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic regression over named features, and the cuts that turn its probability into a status.

    Fitted on answers that people graded, see evaluation/fit_calibration.py. `centre` and `scale` bring each feature to
    mean 0 and deviation 1 over the fitted rows, so that the weights can be read side by side.
    """

    name: str
    features: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    cuts: Cuts

    def __post_init__(self) -> None:
        if not len(self.features) == len(self.centre) == len(self.scale) == len(self.weights):
            message = (
                f"calibration {self.name}: {len(self.features)} features but {len(self.centre)} centres, "
                f"{len(self.scale)} scales and {len(self.weights)} weights; fit it again"
            )
            raise ValueError(message)

    def coverage(self, features: Mapping[str, float]) -> float:
        """Probability, 0 to 1. `features` must hold every name that the calibration was fitted on."""
        total = self.intercept
        for name, centre, scale, weight in zip(self.features, self.centre, self.scale, self.weights, strict=True):
            total += weight * (features[name] - centre) / scale
        return sigmoid(total)

    def coverages(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for rows (n, features) in the calibration's order."""
        logits = ((table - np.array(self.centre)) / np.array(self.scale)) @ np.array(self.weights) + self.intercept
        return np.array([sigmoid(float(logit)) for logit in logits])


def sigmoid(logit: float) -> float:
    """1 / (1 + exp(-logit)) without overflow."""
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    return math.exp(logit) / (1.0 + math.exp(logit))
