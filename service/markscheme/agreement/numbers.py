"""Agreement of numbers, and of probabilities with what came true."""

from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import UNDEFINED, Flags, Floats

RELIABILITY_BINS = 10


def pearson(truth: Floats, graded: Floats, weights: Floats) -> float:
    """Correlation, -1 to 1; NaN where either side is constant."""
    used = weights > 0
    # Asked before anything is summed: the rounded mean of equal numbers may differ from them.
    if not used.any() or np.ptp(truth[used]) == 0 or np.ptp(graded[used]) == 0:
        return UNDEFINED
    left = truth - np.average(truth, weights=weights)
    right = graded - np.average(graded, weights=weights)
    spread = float(np.sqrt(weights @ left**2) * np.sqrt(weights @ right**2))
    return min(1.0, max(-1.0, float(weights @ (left * right)) / spread)) if spread else UNDEFINED


def mean(values: Floats | Flags, weights: Floats) -> float:
    """Weighted mean; NaN where nothing counts."""
    total = float(weights.sum())
    return float(weights @ values) / total if total else UNDEFINED


def rmse(truth: Floats, graded: Floats, weights: Floats) -> float:
    """Root of the mean squared difference; NaN where nothing counts."""
    return float(np.sqrt(mean((graded - truth) ** 2, weights)))


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Decisions with a coverage from `low` to `high`: how many, their mean coverage, and how many were made."""

    low: float
    high: float
    count: int
    mean_coverage: float
    share_made: float


def reliability(truth: Flags, coverage: Floats, bins: int = RELIABILITY_BINS) -> list[ReliabilityBin]:
    """Bins of equal width over 0 to 1, empty ones left out; `truth` and `coverage` are (n,)."""
    place = _bins(coverage, bins)
    return [
        ReliabilityBin(
            low=at / bins,
            high=(at + 1) / bins,
            count=int(inside.sum()),
            mean_coverage=float(coverage[inside].mean()),
            share_made=float(truth[inside].mean()),
        )
        for at in range(bins)
        if (inside := place == at).any()
    ]


def calibration_error(truth: Flags, coverage: Floats, weights: Floats, bins: int = RELIABILITY_BINS) -> float:
    """ECE: how far mean coverage is from the share that was made, bin by bin of equal width, by weight; 0 to 1."""
    total = float(weights.sum())
    if not total:
        return UNDEFINED
    place = _bins(coverage, bins)
    gaps = np.bincount(place, weights * (coverage - truth), minlength=bins)
    return float(np.abs(gaps).sum()) / total


def _bins(coverage: Floats, bins: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    # A coverage of 1 belongs to the last bin.
    return np.clip((coverage * bins).astype(np.int64), 0, bins - 1)
