"""A logistic regression over named features, which can say what each of them did."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Effect:
    """What one feature did: its value, and the log-odds that it added to those of an average point."""

    name: str
    value: float
    effect: float


@dataclass(frozen=True, slots=True)
class Logistic:
    """Probability from features.

    `centre` and `scale` bring each feature to mean 0 and deviation 1 over the fitted rows, so that the weights can be
    read side by side.
    """

    features: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        if not len(self.features) == len(self.centre) == len(self.scale) == len(self.weights):
            message = (
                f"{len(self.features)} features but {len(self.centre)} centres, {len(self.scale)} scales and "
                f"{len(self.weights)} weights; fit the calibration again"
            )
            raise ValueError(message)

    def effects(self, features: Mapping[str, float]) -> tuple[Effect, ...]:
        """What each feature adds; one that is not in `features` adds nothing."""
        columns = zip(self.features, self.centre, self.scale, self.weights, strict=True)
        return tuple(
            Effect(name, features[name], weight * (features[name] - centre) / scale)
            for name, centre, scale, weight in columns
            if name in features
        )

    def log_odds(self, features: Mapping[str, float]) -> float:
        """The sum of all effects and the intercept."""
        return self.intercept + math.fsum(one.effect for one in self.effects(features))

    def probability(self, features: Mapping[str, float]) -> float:
        """0 to 1. `features` must hold every name that was fitted, or KeyError is raised."""
        missing = set(self.features) - features.keys()
        if missing:
            raise KeyError(*sorted(missing))
        return sigmoid(self.log_odds(features))

    def scaled(self, slope: float, offset: float, **extra: float) -> "Logistic":
        """The log-odds times `slope` plus `offset` (Platt 1999); a named feature's weight is also multiplied."""
        return replace(
            self,
            weights=tuple(
                weight * slope * extra.get(name, 1.0) for name, weight in zip(self.features, self.weights, strict=True)
            ),
            intercept=self.intercept * slope + offset,
        )


def sigmoid(log_odds: float) -> float:
    """1 / (1 + exp(-log_odds)) without overflow."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    return math.exp(log_odds) / (1.0 + math.exp(log_odds))


def log_odds_of(probability: float, limit: float = 6.0) -> float:
    """log(p / (1 - p)), kept within plus and minus `limit`."""
    if probability <= 0.0:
        return -limit
    if probability >= 1.0:
        return limit
    return max(-limit, min(limit, math.log(probability / (1.0 - probability))))
