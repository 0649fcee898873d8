"""What is gained where the least sure decisions go to a person."""

import numpy as np

from markscheme.agreement.arrays import Floats
from markscheme.agreement.results import RiskStep

STEPS = tuple(step / 100 for step in range(0, 55, 5))
TOLD = (0.0, 0.1, 0.2, 0.3)


def mean_over_surest(values: Floats, confidence: Floats, sizes: Floats, set_aside: float) -> tuple[float, int]:
    """Mean of the values that are kept, and of how many things they are.

    Where the limit falls among equally sure ones, each of them is kept in part, so that their order cannot matter.

    Args:
        values: (n,) sums of what is averaged, one a thing.
        confidence: (n,) how sure each thing is.
        sizes: (n,) how much each thing counts in the mean, above 0.
        set_aside: The share of things, 0 to 1, that is left out.
    """
    kept = max(1, round(len(values) * (1 - set_aside)))
    limit = np.sort(confidence)[-kept]
    surer, equal = confidence > limit, confidence == limit
    part = (kept - int(surer.sum())) / int(equal.sum())
    shares = surer + part * equal
    return float(shares @ values) / float(shares @ sizes), kept


def risk_steps(
    values: Floats, confidence: Floats, sizes: Floats | None = None, *, root: bool = False
) -> tuple[RiskStep, ...]:
    """The curve from nothing to half set aside; with `root`, of the root of the mean. Empty for no decision."""
    if not len(values):
        return ()
    sizes = np.ones(len(values)) if sizes is None else sizes
    found = [(step, *mean_over_surest(values, confidence, sizes, step)) for step in STEPS]
    return tuple(RiskStep(step, kept, float(np.sqrt(value)) if root else value) for step, value, kept in found)
