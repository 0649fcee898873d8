"""Agreement of choices among a few levels, all of it from the table of who chose what."""

import numpy as np

from markscheme.agreement.arrays import UNDEFINED, Flags, Floats, Integers


def table(truth: Integers | Flags, chosen: Integers | Flags, weights: Floats, levels: int = 2) -> Floats:
    """Summed weights by true level (rows) and chosen level (columns): (levels, levels).

    `truth` and `chosen` are (n,), whole numbers from 0 to levels - 1, or booleans; `weights` is (n,).
    """
    cells = truth.astype(np.int64) * levels + chosen.astype(np.int64)
    return np.bincount(cells, weights, minlength=levels * levels).astype(np.float64).reshape(levels, levels)


def accuracy(counts: Floats) -> float:
    """Share of right choices, 0 to 1; NaN for an empty table."""
    total = float(counts.sum())
    return float(np.trace(counts)) / total if total else UNDEFINED


def macro_f1(counts: Floats) -> float:
    """Mean F1 of the levels that anybody chose, 0 to 1; NaN for an empty table."""
    chosen_or_true = counts.sum(axis=0) + counts.sum(axis=1)
    used = chosen_or_true > 0
    if not used.any():
        return UNDEFINED
    return float((2 * np.diag(counts)[used] / chosen_or_true[used]).mean())


def kappa(counts: Floats, *, quadratic: bool = False) -> float:
    """Cohen's kappa, -1 to 1: agreement beyond chance. NaN where chance alone would agree always.

    With `quadratic`, an error counts by the square of its distance in levels.
    """
    total = float(counts.sum())
    if not total:
        return UNDEFINED
    by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    places = np.arange(len(counts))
    distance = np.abs(places[:, None] - places[None, :])
    cost = distance**2 if quadratic else np.minimum(distance, 1)
    expected = float((cost * by_chance).sum())
    return 1 - float((cost * counts).sum()) / expected if expected else UNDEFINED
