"""What a fit may change of the coverage of a calibration: its scale alone, or the weight of every feature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from markscheme.agreement.arrays import Floats
from markscheme.grading.coverage import NOT_BY_CHANCE, Calibration

# A scale under this would make every coverage alike, whatever was read.
LEAST_SLOPE = 0.1
# Digits after the decimal point that are kept: files are read by people.
DIGITS = 6

Features = Mapping[str, float]


class Family(Protocol):
    """Calibrations that differ in a few numbers; the log-odds of coverage are linear in them."""

    @property
    def start(self) -> Floats:
        """The numbers of the calibration in use: (k,)."""
        ...

    @property
    def bounds(self) -> Sequence[float | None]:
        """The least that each number may be, None for no such limit."""
        ...

    def row(self, features: Features, *, by_sample: bool) -> tuple[list[float], float]:
        """What the numbers are multiplied by, k of them, and what is added, to give the log-odds of a point."""
        ...

    def member(self, numbers: Floats) -> Calibration:
        """The calibration with other numbers, (k,)."""
        ...


@dataclass(frozen=True, slots=True)
class Scaled(Family):
    """The log-odds times a slope plus an offset (Platt 1999), for points and for sample answers alike."""

    base: Calibration

    @property
    def start(self) -> Floats:
        """A slope of 1 and an offset of 0 change nothing."""
        return np.array([1.0, 0.0])

    @property
    def bounds(self) -> Sequence[float | None]:
        """The slope has one, so that what was found better is never credited less."""
        return LEAST_SLOPE, None

    def row(self, features: Features, *, by_sample: bool) -> tuple[list[float], float]:
        """The log-odds as they stand, and 1."""
        used = self.base.for_sample_answers if by_sample else self.base
        return [used.coverage.log_odds(features), 1.0], 0.0

    def member(self, numbers: Floats) -> Calibration:
        """Scale both ways of marking."""
        slope, offset = (round(float(number), DIGITS) for number in numbers)
        one = self.base.relaxation
        # The relaxation is applied after the scale; with this offset the two together scale what it gave before.
        relaxed = replace(one, offset=round(one.offset * slope + offset * (1.0 - one.slope), DIGITS))
        scaled = self.base.coverage.scaled(slope, offset)
        weights = tuple(round(weight, DIGITS) for weight in scaled.weights)
        coverage = replace(scaled, weights=weights, intercept=round(scaled.intercept, DIGITS))
        return replace(self.base, coverage=coverage, relaxation=relaxed)


@dataclass(frozen=True, slots=True)
class Weighed(Family):
    """Every weight and the intercept, but for the weight of `not_by_chance`.

    That one keeps credit from answers to other questions; graded answers are to the question itself, so they cannot
    show what it is worth.
    """

    base: Calibration

    @property
    def start(self) -> Floats:
        """The weights, in the order of the features, and the intercept."""
        coverage = self.base.coverage
        return np.array([*(coverage.weights[at] for at in self._free), coverage.intercept])

    @property
    def bounds(self) -> Sequence[float | None]:
        """No weight is negative: what is said besides never makes a point less likely."""
        return (*(0.0 for _ in self._free), None)

    def row(self, features: Features, *, by_sample: bool) -> tuple[list[float], float]:
        """The standardised features, and 1; what `not_by_chance` and the relaxation do is added."""
        coverage, one = self.base.coverage, self.base.relaxation
        slope, offset, chance = (one.slope, one.offset, one.chance) if by_sample else (1.0, 0.0, 1.0)
        columns = zip(coverage.features, coverage.centre, coverage.scale, strict=True)
        standard = [(features[name] - centre) / scale for name, centre, scale in columns]
        for at, name in enumerate(coverage.features):
            if name == NOT_BY_CHANCE:
                offset += slope * chance * coverage.weights[at] * standard[at]
        return [*(slope * standard[at] for at in self._free), slope], offset

    def member(self, numbers: Floats) -> Calibration:
        """Put the weights back in their places."""
        weights = list(self.base.coverage.weights)
        for at, number in zip(self._free, numbers, strict=False):
            weights[at] = round(float(number), DIGITS)
        intercept = round(float(numbers[-1]), DIGITS)
        return replace(self.base, coverage=replace(self.base.coverage, weights=tuple(weights), intercept=intercept))

    @property
    def _free(self) -> list[int]:
        return [at for at, name in enumerate(self.base.coverage.features) if name != NOT_BY_CHANCE]
