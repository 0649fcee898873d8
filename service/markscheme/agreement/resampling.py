"""How far a figure might have come out otherwise: a bootstrap that draws whole groups."""

from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import Integers, Measure, once

_TAIL = 2.5
# With less than half of the draws there is no telling where 95% of them lie.
_LEAST_DEFINED = 0.5


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with the interval that holds 95% of the draws; None for what is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each draw takes each group: (samples, groups)."""

    counts: Integers

    @classmethod
    def of(cls, groups: int, samples: int, seed: int) -> "Draws":
        """Draw as many groups as there are, with replacement, `samples` times. The same seed gives the same draws."""
        shares = np.full(groups, 1 / groups)
        return cls(np.random.default_rng(seed).multinomial(groups, shares, size=samples))

    def figure(self, measure: Measure, groups: Integers) -> Figure:
        """A figure over decisions whose groups are `groups`: (n,), places in 0 to the number of groups.

        There is no interval where all decisions belong to one group, or where the figure is undefined in most draws.
        """
        value = measure(once(len(groups)))
        if np.isnan(value):
            return Figure(None)
        if len(np.unique(groups)) < 2 or not len(self.counts):  # noqa: PLR2004 - one group cannot vary
            return Figure(value)
        drawn = np.array([measure(counts[groups].astype(np.float64)) for counts in self.counts])
        defined = drawn[~np.isnan(drawn)]
        if len(defined) < _LEAST_DEFINED * len(drawn):
            return Figure(value)
        low, high = np.percentile(defined, [_TAIL, 100 - _TAIL])
        return Figure(value, float(low), float(high))
