"""Coverage: from what was measured of a point to the probability that a person would say the answer makes it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from markscheme.grading.score import Cuts

NOT_BY_CHANCE = "not_by_chance"


@dataclass(frozen=True, slots=True)
class Relaxation:
    """How much more freely people credit what a sample answer says than a point of a rubric.

    A Platt scaling: the log-odds of coverage times `slope` plus `offset`; 1 and 0 change nothing. The weight of
    `not_by_chance` is also multiplied by `chance`: who brings a sample answer asks about an answer to that question.
    """

    slope: float = 1.0
    offset: float = 0.0
    chance: float = 1.0


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
    relaxation: Relaxation = Relaxation()

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

    @property
    def for_sample_answers(self) -> "Calibration":
        """The same for points drafted from a sample answer on the spot: nobody said that each of them is required."""
        slope, offset, chance = self.relaxation.slope, self.relaxation.offset, self.relaxation.chance
        scales = (slope * chance if name == NOT_BY_CHANCE else slope for name in self.features)
        return replace(
            self,
            weights=tuple(weight * scale for weight, scale in zip(self.weights, scales, strict=True)),
            intercept=self.intercept * slope + offset,
            relaxation=Relaxation(),
        )


def sigmoid(logit: float) -> float:
    """1 / (1 + exp(-logit)) without overflow."""
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    return math.exp(logit) / (1.0 + math.exp(logit))
