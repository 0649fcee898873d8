"""Finds the drafted points that only repeat another one."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.draft_words import content_stems, fixed_words

Similar = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""n texts in, their (n, n) cosines out."""

SAME_MEANING = 0.92
FEWEST_STEMS = 3
_TOLERATED = 10
_SUMMARY_SHARE = 0.75


def repeats(statements: Sequence[str], summaries: Sequence[bool], similar: Similar | None) -> list[int | None]:
    """For each statement the earlier one that it repeats, or None.

    A statement repeats an earlier one when that holds its content words (one in ten may be missing) or, where
    `similar` is given, when their cosine reaches SAME_MEANING; never when one denies and the other does not, nor with
    a figure that the other lacks. One that `summaries` marks also goes when the earlier ones together hold three
    quarters of its words.
    """
    stems = [content_stems(statement) for statement in statements]
    fixed = [fixed_words(statement) for statement in statements]
    cosines = similar(statements) if similar is not None and len(statements) > 1 else None
    found: list[int | None] = []
    for index, own in enumerate(stems):
        kept = [other for other in range(index) if found[other] is None]
        found.append(None)
        denies, figures = fixed[index]
        for other in kept:
            if fixed[other][0] != denies or not figures <= fixed[other][1]:
                continue
            held = len(own) >= FEWEST_STEMS and len(own - stems[other]) <= len(own) // _TOLERATED
            if held or (cosines is not None and cosines[index, other] >= SAME_MEANING):
                found[index] = other
                break
        if found[index] is None and summaries[index] and kept:
            said = frozenset().union(*(stems[other] for other in kept))
            if len(own & said) >= _SUMMARY_SHARE * len(own):
                found[index] = max(kept, key=[len(own & one) for one in stems].__getitem__)
    return found
