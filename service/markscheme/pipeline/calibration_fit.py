"""From marks to a calibration: first the probability, then the cuts.

How far the marks of `n` answers may move anything is one rule throughout: they are fitted together with what the
calibration in use says of the very same answers, which weighs as much as PRIOR_ANSWERS answers. 30 answers so move it
about a quarter of the way towards what they say, and 500 five sixths.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, Integers
from markscheme.agreement.gold import Kind
from markscheme.agreement.of_labels import WORTH
from markscheme.agreement.of_points import MAJORITY
from markscheme.agreement.tables import macro_f1, table
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_family import DIGITS, Family
from markscheme.pipeline.calibration_marks import Marks, Outcome
from markscheme.pipeline.ports import Fitter

PRIOR_ANSWERS = 100
# Fewer contradictory answers say nothing of where a contradiction begins.
LEAST_CONTRADICTORY = 5
# No probability is taken for certain: the logarithm of its opposite would outweigh all others.
_CERTAIN = 1e-6
_COVERED = (0.05, 0.95)
_SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)
_CONTRADICTED = (0.1, 0.95)


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
    search = _Search(marks, before, after, base.cuts, prior)
    if kind == "points":
        cuts = search.by_points(answers)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Looks for cuts. `before` and `after` are coverages, (n,), by the calibration in use and by the fitted one."""

    marks: Marks
    before: Floats
    after: Floats
    cuts: Cuts
    prior: float

    def by_points(self, answers: Sequence[ReadAnswer]) -> Cuts:
        shares = _shares(answers)
        judged = ~np.isnan(shares)
        as_before = self.marks.covered(self.before, self.cuts.covered)[judged]
        made = shares[judged] > MAJORITY

        def error(cuts: Cuts) -> float:
            chosen = self.marks.covered(self.after, cuts.covered)[judged]
            return 1.0 - self._macro_f1(made, as_before, chosen)

        share = self.cuts.partial / self.cuts.covered
        return _best((self._pair(covered, share) for covered in _steps(*_COVERED)), error, self.cuts)

    def by_scores(self, scores: Floats) -> Cuts:
        as_before = self.marks.outcome(self.before, self.cuts).score

        def error(cuts: Cuts) -> float:
            found = self._outcome(cuts).score
            return float(np.square(found - scores).mean() + self.prior * np.square(found - as_before).mean())

        return self._both(error)

    def by_labels(self, correct: Flags, contradictory: Flags, *, may_contradict: bool) -> Cuts:
        as_before = self.marks.outcome(self.before, self.cuts)

        def error(cuts: Cuts) -> float:
            return 1.0 - self._macro_f1(correct, as_before.correct, self._outcome(cuts).correct)

        found = self._both(error)
        if not may_contradict or found.contradicted is None or contradictory.sum() < LEAST_CONTRADICTORY:
            return found

        def flag_error(cuts: Cuts) -> float:
            flagged = self._outcome(cuts).contradictory
            return 1.0 - self._macro_f1(contradictory, as_before.contradictory, flagged)

        return _best((replace(found, contradicted=cut) for cut in _steps(*_CONTRADICTED)), flag_error, found)

    def _both(self, error: Callable[[Cuts], float]) -> Cuts:
        """The two cuts of coverage: coarsely over all that can be, then finely around the best."""
        share = self.cuts.partial / self.cuts.covered
        coarse = (self._pair(*one) for one in product(_steps(*_COVERED, 0.05), (*_SHARES, share)))
        found = _best(coarse, error, self.cuts)
        low, high = max(_COVERED[0], found.covered - 0.04), min(_COVERED[1], found.covered + 0.04)
        share = found.partial / found.covered
        shares = [part for part in (share - 0.1, share - 0.05, share, share + 0.05, share + 0.1) if 0 < part < 1]
        return _best((self._pair(*one) for one in product(_steps(low, high), shares)), error, found)

    def _pair(self, covered: float, share: float) -> Cuts:
        return replace(self.cuts, covered=covered, partial=round(covered * share, DIGITS))

    def _outcome(self, cuts: Cuts) -> Outcome:
        return self.marks.outcome(self.after, cuts)

    def _macro_f1(self, truth: Flags, as_before: Flags, chosen: Flags) -> float:
        """Agreement with people and, by its weight, with what was decided before."""
        weights = np.repeat([1.0, self.prior], len(truth))
        return macro_f1(table(np.append(truth, as_before), np.append(chosen, chosen), weights))


def _steps(low: float, high: float, step: float = 0.01) -> list[float]:
    return [round(float(cut), DIGITS) for cut in np.arange(low, high + step / 2, step)]


def _best(candidates: Iterable[Cuts], error: Callable[[Cuts], float], present: Cuts) -> Cuts:
    """The cuts with the least error; of equals those that are nearest to the present ones, which take part."""

    def distance(cuts: Cuts) -> float:
        moved = abs((cuts.contradicted or 0.0) - (present.contradicted or 0.0))
        return abs(cuts.covered - present.covered) + abs(cuts.partial - present.partial) + moved

    # Rounded, so that an order of summing decides nothing.
    return min((present, *candidates), key=lambda cuts: (round(error(cuts), 9), distance(cuts)))
