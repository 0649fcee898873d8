"""Agreement of orders: who stands above whom."""

import numpy as np

from markscheme.agreement.arrays import UNDEFINED, Flags, Floats, Integers, Measure
from markscheme.agreement.numbers import pearson


def auc_measure(truth: Flags, graded: Floats) -> Measure:
    """The area under the ROC curve as a function of weights: a true one stands above a false one how often?

    Ties count half. NaN where the weights leave no true one or no false one.
    """
    _, levels = np.unique(graded, return_inverse=True)

    def measure(weights: Floats) -> float:
        if not len(levels):
            return UNDEFINED
        true = np.bincount(levels, weights * truth)
        false = np.bincount(levels, weights * ~truth)
        pairs = float(true.sum() * false.sum())
        below = np.cumsum(false) - false / 2
        return float(true @ below) / pairs if pairs else UNDEFINED

    return measure


def ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs: (n,) to (n,)."""
    _, levels, counts = np.unique(values, return_inverse=True, return_counts=True)
    means: Floats = np.cumsum(counts) - (counts - 1) / 2
    return means[levels]


def spearman(truth: Floats, graded: Floats) -> float:
    """Rank correlation, -1 to 1; NaN where either side is constant or shorter than two."""
    return pearson(ranks(truth), ranks(graded), np.ones(len(truth)))


def within_groups_measure(truth: Floats, graded: Floats, groups: Integers) -> Measure:
    """Mean rank correlation inside the groups, each group counted as often as its first decision.

    Groups in which either side is constant say nothing and are left out; NaN where none is left.
    """
    _, firsts = np.unique(groups, return_index=True)
    found = np.array([spearman(truth[groups == groups[at]], graded[groups == groups[at]]) for at in firsts])
    defined = ~np.isnan(found)

    def measure(weights: Floats) -> float:
        counts = weights[firsts[defined]]
        total = float(counts.sum())
        return float(counts @ found[defined]) / total if total else UNDEFINED

    return measure
