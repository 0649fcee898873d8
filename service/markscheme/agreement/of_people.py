"""How far people agree with each other: each in turn against the others."""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import TypeVar

import numpy as np

from markscheme.agreement.comparison import Column, Row, choice_measures
from markscheme.agreement.gold import Kind
from markscheme.agreement.of_labels import label_measures
from markscheme.agreement.of_points import MAJORITY
from markscheme.agreement.of_scores import score_measures

T = TypeVar("T")


def people(kind: Kind, rows: Sequence[Row]) -> Column | None:
    """One person against the rest, the most of them or their mean; None where no answer has two judgements.

    A decision on which the rest is divided evenly is left out.
    """
    columns: dict[Kind, Callable[[Sequence[Row]], Column | None]] = {
        "points": _points,
        "label": _labels,
        "score": _scores,
    }
    return columns[kind](rows) if kind in columns else None


def _points(rows: Sequence[Row]) -> Column | None:
    found = [
        (row.group, fmean(others) > MAJORITY, one > MAJORITY)
        for row in rows
        for votes in zip(*row.answer.gold.points_raters, strict=True)
        for one, others in _in_turn([vote for vote in votes if vote is not None])
        if fmean(others) != MAJORITY
    ]
    if not found:
        return None
    groups, truth, chosen = (np.array(values) for values in zip(*found, strict=True))
    return Column(groups, choice_measures(truth, chosen))


def _labels(rows: Sequence[Row]) -> Column | None:
    found = [
        (row.group, passed > MAJORITY, one == "correct", wrong > MAJORITY, one == "contradictory")
        for row in rows
        for one, others in _in_turn(row.answer.gold.label_raters)
        if (passed := fmean(other == "correct" for other in others)) != MAJORITY
        and (wrong := fmean(other == "contradictory" for other in others)) != MAJORITY
    ]
    if not found:
        return None
    groups, truth, chosen, contradictory, flagged = (np.array(values) for values in zip(*found, strict=True))
    return Column(groups, label_measures(truth, chosen, contradictory, flagged, None))


def _scores(rows: Sequence[Row]) -> Column | None:
    found = [(row.group, fmean(others), one) for row in rows for one, others in _in_turn(row.answer.gold.score_raters)]
    if not found:
        return None
    groups, truth, given = (np.array(values) for values in zip(*found, strict=True))
    return Column(groups, score_measures(truth, given, groups))


def _in_turn(votes: Sequence[T]) -> Iterator[tuple[T, list[T]]]:
    if len(votes) > 1:
        for place, vote in enumerate(votes):
            yield vote, [*votes[:place], *votes[place + 1 :]]
