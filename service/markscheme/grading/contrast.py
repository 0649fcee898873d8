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
    return np.array(
        [word.stem not in shared and (word.is_negation or not word.is_function) for word in statement.words], np.bool_
    )


def contrast(wrong: Alignment, right: Alignment) -> NDArray[np.float64]:
    """How much better each segment says what only the misconception says, than what only the point says: (s,), -1 to 1.

    `wrong` aligns the misconception, `right` the point. A side without a word of its own counts as said: only the other
    side's words can then tell.
    """
    return _said(wrong, decisive(wrong.statement, right.statement)) - _said(
        right, decisive(right.statement, wrong.statement)
    )


def _said(alignment: Alignment, words: NDArray[np.bool_]) -> NDArray[np.float64]:
    if not words.any():
        return np.ones(alignment.found.shape[1])
    weights = alignment.statement.weights[words]
    return np.asarray(weights @ alignment.found[words] / max(float(weights.sum()), 1e-9))
