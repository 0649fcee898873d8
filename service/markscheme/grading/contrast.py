"""Which of two statements that share most of their words does a passage make?

A point and its misconception differ in a few decisive words ("flatter" where the point has "sharper"). Whole-sentence
similarity cannot tell them apart; those words can.
"""

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.alignment import Alignment
from markscheme.grading.statement import WeighedStatement


def decisive(statement: WeighedStatement, other: WeighedStatement) -> NDArray[np.bool_]:
    """The words of a statement that the other does not have and that carry meaning or turn it, (w,)."""
    shared = {word.stem for word in other.words}
    return np.array([word.stem not in shared and not word.is_function for word in statement.words], np.bool_)


def contrast(wrong: Alignment, right: Alignment) -> NDArray[np.float64]:
    """How much better each segment says what only the misconception says, than what only the point says: (s,), -1 to 1.

    `wrong` aligns the misconception, `right` the point. Where the misconception has no word of its own ("used" for
    "never used"), it is said as far as the point's words are not. Where the point has none ("depends" for "does not
    depend"), the misconception's must stand there: every sentence is near to "not" for a model of meaning.
    """
    only_wrong = decisive(wrong.statement, right.statement)
    only_right = decisive(right.statement, wrong.statement)
    if not only_right.any():
        return 2.0 * _said(wrong, only_wrong, wrong.by_stem) - 1.0
    said_wrong = _said(wrong, only_wrong, wrong.found) if only_wrong.any() else 1.0
    return said_wrong - _said(right, only_right, right.found)


def _said(alignment: Alignment, words: NDArray[np.bool_], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much of some words each segment says, (s,), 0 to 1; 0 for no words."""
    weights = alignment.statement.weights[words]
    return np.asarray(weights @ found[words] / max(float(weights.sum()), 1e-9))
