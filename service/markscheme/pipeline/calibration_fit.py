"""From marks to a calibration: first the probability, then the cuts.

How far the marks of `n` answers may move anything is one rule throughout: they are fitted together with what the
calibration in use says of the very same answers, which weighs as much as PRIOR_ANSWERS answers. 30 answers so move it
about a quarter of the way towards what they say, and 500 five sixths.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from markscheme.agreement.arrays import Floats, Integers
from markscheme.agreement.gold import Kind
from markscheme.agreement.of_labels import WORTH
from markscheme.grading.coverage import Calibration
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_cuts import CutSearch
from markscheme.pipeline.calibration_family import Family
from markscheme.pipeline.calibration_marks import Marks
from markscheme.pipeline.ports import Fitter

PRIOR_ANSWERS = 100
# No probability is taken for certain: the logarithm of its opposite would outweigh all others.
_CERTAIN = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class _Decided:
    """What people decided, d things: one or more points each, (m,), with their shares in it; `made` is (d,), 0 to 1."""

    point: Integers
    thing: Integers
    share: Floats
    made: Floats


def fit(
    answers: Sequence[ReadAnswer], kind: Kind, base: Calibration, family: Family, fitter: Fitter
) -> tuple[Calibration, Floats]:
    """Fit the numbers of a family, then the cuts, to what people decided.

    Points: the coverage of each point is fitted to the share of people who say that it is made; the cut is where points
    are told apart best (macro-F1), and the lower cut keeps its proportion to it. Scores and labels: the mean coverage
    of an answer's points, by weight, is fitted to its score (a label counts as 1, partial as .5, the others as 0); the
    cuts are where scores differ least from those of people (squared), or correct verdicts agree best (macro-F1). The
    cut of contradictions moves with labels only, where at least five answers are contradictory.

    Args:
        answers: Answers that all have a judgement of this kind.
        kind: What people decided: points, label or score.
        base: The calibration in use, which the answers were read with.
        family: What may change of it.
        fitter: Finds the numbers.

    Returns:
        The calibration, with the name of `base`, and the numbers of the family, (k,).
    """
    marks = Marks.of(answers, base, family)
    prior = PRIOR_ANSWERS / len(answers)
    decided = _of_points(answers, marks) if kind == "points" else _of_answers(answers, kind, marks)
    numbers = _fitted(marks, decided, family, fitter, prior) if len(decided.made) else family.start
    before, after = marks.coverage(family.start), marks.coverage(numbers)
    search = CutSearch(marks, before, after, base.cuts, prior)
    if kind == "points":
        cuts = search.by_points(_shares(answers))
    elif kind == "score":
        cuts = search.by_scores(np.array([answer.judged.gold.score for answer in answers], np.float64))
    else:
        labels = [answer.judged.gold.label for answer in answers]
        cuts = search.by_labels(
            np.array([label == "correct" for label in labels], np.bool_),
            np.array([label == "contradictory" for label in labels], np.bool_),
            may_contradict=base.contradiction is not None,
        )
    return replace(family.member(numbers), cuts=cuts), numbers


def _of_points(answers: Sequence[ReadAnswer], marks: Marks) -> _Decided:
    """Each point by itself; those that something else than coverage decides say nothing about it."""
    shares = _shares(answers)
    used = np.flatnonzero(~np.isnan(shares) & marks.read & ~marks.wrong & ~marks.halved)
    return _Decided(used, np.arange(len(used)), np.ones(len(used)), shares[used])


def _of_answers(answers: Sequence[ReadAnswer], kind: Kind, marks: Marks) -> _Decided:
    """Each answer by the points of the rubric that counts; an answer none of whose points could be read is left out."""
    usable = marks.read & ~marks.wrong
    counted = np.isin(marks.rubric, marks.chosen)
    of_answer = marks.answer[marks.rubric]
    total = np.bincount(of_answer[counted], marks.weight[counted], minlength=len(answers))
    any_read = np.bincount(of_answer[counted & usable], minlength=len(answers)) > 0
    place = np.cumsum(any_read) - 1
    used = np.flatnonzero(counted & usable)
    made = np.array([_worth(answer, kind) for answer in answers], np.float64)
    return _Decided(used, place[of_answer[used]], marks.weight[used] / total[of_answer[used]], made[any_read])


def _worth(answer: ReadAnswer, kind: Kind) -> float:
    gold = answer.judged.gold
    if kind == "score":
        return gold.score or 0.0
    return WORTH[gold.label] if gold.label else 0.0


def _shares(answers: Sequence[ReadAnswer]) -> Floats:
    """What people say of each point, (n,); NaN where they did not judge it."""
    shares = [share for answer in answers for share in answer.judged.gold.points or ()]
    return np.array([np.nan if share is None else share for share in shares], np.float64)


def _fitted(marks: Marks, decided: _Decided, family: Family, fitter: Fitter, prior: float) -> Floats:
    """The numbers with the least cross-entropy between what is made and the mean coverage of its points."""
    columns, fixed = marks.table[decided.point], marks.fixed[decided.point]
    count = len(decided.made)

    def mean_of(coverage: Floats) -> Floats:
        sums = np.bincount(decided.thing, decided.share * coverage, minlength=count)
        return np.clip(sums, _CERTAIN, 1.0 - _CERTAIN)

    def coverage_of(numbers: Floats) -> Floats:
        return 0.5 + 0.5 * np.tanh((columns @ numbers + fixed) / 2)

    target = (decided.made + prior * mean_of(coverage_of(family.start))) / (1.0 + prior)

    def loss(numbers: Floats) -> tuple[float, Floats]:
        coverage = coverage_of(numbers)
        mean = mean_of(coverage)
        value = -(target * np.log(mean) + (1.0 - target) * np.log(1.0 - mean)).mean()
        pull = ((mean - target) / (mean * (1.0 - mean)))[decided.thing]
        slopes = pull * decided.share * coverage * (1.0 - coverage) / count
        return float(value), columns.T @ slopes

    return fitter.lowest(loss, family.start, family.bounds)
