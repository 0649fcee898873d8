"""How grades of the same answers by two calibrations agree with people, figure by figure, side by side.

Held-out answers are graded by as many calibrations as there are folds, with scales and offsets of their own.
Decisions can be pooled all the same, since each was made by its own cuts. An order cannot: a score of one fold may
stand above one of another for no reason that lies in the answers. So what measures order (AUC and Pearson) is taken
inside each fold and averaged by how much was decided there, before and after alike; and Spearman is taken inside each
question.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import UNDEFINED, Floats, Integers, Measure
from markscheme.agreement.comparison import Column, Comparison, Row
from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.numbers import mean
from markscheme.agreement.of_labels import compare_labels
from markscheme.agreement.of_points import compare_points
from markscheme.agreement.of_scores import compare_scores
from markscheme.agreement.results import MARKSCHEME

WITHIN_FOLDS = frozenset({"auc", "pearson"})
LOSS = "loss"
# A figure before and after, from how often each decision counts.
Pair = Callable[[Floats], tuple[float, float]]

_COMPARE: Mapping[Kind, Callable[[Sequence[Row], Sequence[str]], Comparison]] = {
    "points": compare_points,
    "score": compare_scores,
    "label": compare_labels,
}
# Grades are rounded to four digits; none is taken for certain.
_CERTAIN = 5e-5


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Every figure by name, the loss first, and the question of each decision: (n,), from 0."""

    pairs: Mapping[str, Pair]
    groups: Integers


def sides_of(
    kind: Kind,
    judged: Sequence[JudgedAnswer],
    before: Sequence[OurGrade],
    after: Sequence[OurGrade],
    folds: Sequence[int],
) -> Sides:
    """Lay two gradings of the same answers side by side.

    The loss is of points the mean log-loss of their coverage, of scores the RMSE, of labels the share of verdicts that
    call right what is not or the reverse.

    Args:
        kind: What people decided.
        judged: The answers.
        before: Their grades by one calibration, in the same order.
        after: Their grades by the other.
        folds: The fold of each answer; all answers to a question are in one.
    """
    places = {name: place for place, name in enumerate(sorted({one.group for one in judged}))}
    fold_by_group = np.zeros(len(places), np.int64)
    fold_by_group[[places[one.group] for one in judged]] = folds
    one, other = (_column(kind, judged, grades, places) for grades in (before, after))
    pairs = {LOSS: _pair(_loss(kind, judged, before, one), _loss(kind, judged, after, other))}
    for name in one.measures:
        pair = _pair(one.measures[name], other.measures[name])
        pairs[name] = _within(pair, fold_by_group[one.groups]) if name in WITHIN_FOLDS else pair
    return Sides(pairs, one.groups)


def _column(
    kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade], places: Mapping[str, int]
) -> Column:
    rows = [
        Row(place, places[one.group], one, grade, {})
        for place, (one, grade) in enumerate(zip(judged, grades, strict=True))
    ]
    return _COMPARE[kind](rows, ()).columns[MARKSCHEME]


def _pair(before: Measure, after: Measure) -> Pair:
    return lambda weights: (before(weights), after(weights))


def _within(pair: Pair, folds: Integers) -> Pair:
    """The mean over folds, by what counts in each; a fold in which either side is undefined says nothing of both."""
    parts = [folds == fold for fold in np.unique(folds)]

    def averaged(weights: Floats) -> tuple[float, float]:
        told = [(float((weights * part).sum()), *pair(weights * part)) for part in parts]
        sizes, before, after = np.array([one for one in told if not np.isnan(one).any()]).reshape(-1, 3).T
        total = float(sizes.sum())
        return (float(sizes @ before) / total, float(sizes @ after) / total) if total else (UNDEFINED, UNDEFINED)

    return averaged


def _loss(kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade], column: Column) -> Measure:
    if kind == "score":
        return column.measures["rmse"]
    if kind == "label":
        accuracy = column.measures["accuracy"]
        return lambda weights: 1.0 - accuracy(weights)
    losses = _log_losses(judged, grades)
    return lambda weights: mean(losses, weights)


def _log_losses(judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade]) -> Floats:
    """Of every judged point, (n,), in the order in which points are compared."""
    told = [
        (share, point.coverage)
        for one, grade in zip(judged, grades, strict=True)
        for share, point in zip(one.gold.points or (), grade.points, strict=True)
        if share is not None
    ]
    made, coverage = np.array(told, np.float64).T
    coverage = np.clip(coverage, _CERTAIN, 1 - _CERTAIN)
    return np.asarray(-(made * np.log(coverage) + (1 - made) * np.log(1 - coverage)))
