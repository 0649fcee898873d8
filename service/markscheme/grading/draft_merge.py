"""Finds the drafted points that only repeat another one."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.draft_words import fixed_words, telling_stems

Similar = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""n texts in, their (n, n) cosines out."""

SAME_MEANING = 0.92
FEWEST_STEMS = 3
_TOLERATED = 10
_SUMMARY_SHARE = 0.75


def repeats(statements: Sequence[str], summaries: Sequence[bool], similar: Similar | None) -> list[int | None]:
    """For each statement the earlier one that it repeats, or None.

    A statement repeats an earlier one when that holds its words in the same order (one in ten may be missing) or, where
    `similar` is given, when their cosine reaches SAME_MEANING; never when one denies and the other does not, nor with
    a figure that the other lacks. One that `summaries` marks also goes when the earlier ones together hold three
    quarters of its words.
    """
    stems = [telling_stems(statement) for statement in statements]
    fixed = [fixed_words(statement) for statement in statements]
    cosines = similar(statements) if similar is not None and len(statements) > 1 else None
    found: list[int | None] = []
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for index, own in enumerate(stems):
        denies, figures = fixed[index]
        like = set(_holders_of(own, stems, holders))
        if cosines is not None:
            near = np.flatnonzero(cosines[index, :index] >= SAME_MEANING)
            like.update(int(other) for other in near if found[other] is None)
        same = [other for other in sorted(like) if fixed[other][0] == denies and figures <= fixed[other][1]]
        if not same and summaries[index]:
            same = _mostly_said(own, holders)
        found.append(same[0] if same else None)
        if not same:
            for stem in set(own):
                holders[stem].append(index)
    return found


def _holders_of(own: list[str], stems: Sequence[list[str]], holders: defaultdict[str, list[int]]) -> Iterable[int]:
    """The kept statements that hold `own` in its order, but for a tenth."""
    different = set(own)
    if len(different) < FEWEST_STEMS:
        return
    missing = len(own) // _TOLERATED
    # Whoever lacks no more than `missing` of them holds one of any `missing + 1`; the rarest are the quickest to try.
    rarest = sorted(different, key=lambda stem: (len(holders[stem]), stem))[: missing + 1]
    for other in {other for stem in rarest for other in holders[stem]}:
        if len(different.difference(stems[other])) <= missing and _common(own, stems[other]) >= len(own) - missing:
            yield other


def _common(first: list[str], second: list[str]) -> int:
    """The length of the longest sequence that both hold in order: `readers block writers` is not its reverse."""
    row = [0] * (len(second) + 1)
    for one in first:
        diagonal = 0
        for place, other in enumerate(second, start=1):
            above = row[place]
            row[place] = diagonal + 1 if one == other else max(above, row[place - 1])
            diagonal = above
    return row[-1]


def _mostly_said(own: list[str], holders: defaultdict[str, list[int]]) -> list[int]:
    """The kept statement that holds most of `own`, if all of them together hold three quarters of it."""
    different = set(own)
    said = [stem for stem in different if holders[stem]]
    if not said or len(said) < _SUMMARY_SHARE * len(different):
        return []
    votes: defaultdict[int, int] = defaultdict(int)
    for stem in said:
        for other in holders[stem]:
            votes[other] += 1
    return [min(votes, key=lambda other: (-votes[other], other))]
