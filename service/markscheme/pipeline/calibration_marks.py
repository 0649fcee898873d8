"""Many answers as flat arrays, so that coverage, scores and verdicts by any calibration are quick to tell.

What is told here is what `Grader` would decide, but for two things that are taken from the grade as it stands: which
misconceptions an answer says, and which wording of a point is found best.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, Integers
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import PointGrade
from markscheme.grading.logistic import sigmoid
from markscheme.grading.score import CORRECT_SCORE
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_family import Family, Features

# A coverage this much lower than the features say was held down for another reason: the numbers were wrong.
_HELD_DOWN = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One entry an answer, (a,): its score, 0 to 1, and whether its verdict is correct or contradictory."""

    score: Floats
    correct: Flags
    contradictory: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """One entry a point, (n,), rubric by rubric, answer by answer; `answer` and `chosen` alone are shorter.

    `table` (n, k) and `fixed` are what a family makes of the features. `read` is false where nothing could be measured:
    coverage is 0. `wrong` points have a misconception said of them, `halved` ones are at most half-way between the
    cuts, and `denied` is how likely the opposite is said. `answer` (r,) has the answer of each rubric, and `chosen`
    (a,) the rubric of each answer that counts as grades stand.
    """

    table: Floats
    fixed: Floats
    read: Flags
    wrong: Flags
    halved: Flags
    denied: Floats
    weight: Floats
    vital: Flags
    rubric: Integers
    answer: Integers
    chosen: Integers

    @classmethod
    def of(cls, answers: Sequence[ReadAnswer], base: Calibration, family: Family) -> "Marks":
        """Lay answers out."""
        rubrics = [(number, answer, one) for number, answer in enumerate(answers) for one in answer.rubrics]
        points = [
            (place, answer.by_sample, features, point)
            for place, (_, answer, one) in enumerate(rubrics)
            for features, point in zip(one.features, one.grade.points, strict=True)
        ]
        width = len(family.start)
        blank = [0.0] * width, 0.0
        rows = [family.row(found, by_sample=by_sample) if found else blank for _, by_sample, found, _ in points]
        firsts = np.cumsum([0, *(len(answer.rubrics) for answer in answers)])[:-1]
        best = np.array([answer.best for answer in answers], np.int64)
        return cls(
            table=np.array([row for row, _ in rows], np.float64).reshape(-1, width),
            fixed=np.array([offset for _, offset in rows], np.float64),
            read=np.array([found is not None for _, _, found, _ in points], np.bool_),
            wrong=np.array([point.contradicts is not None for *_, point in points], np.bool_),
            halved=np.array([_is_halved(base, found, point, by_sample=by) for _, by, found, point in points], np.bool_),
            denied=np.array([_denied(base, found) for _, _, found, _ in points], np.float64),
            weight=np.array([point.weight for *_, point in points], np.float64),
            vital=np.array([point.importance == "vital" for *_, point in points], np.bool_),
            rubric=np.array([place for place, *_ in points], np.int64),
            answer=np.array([number for number, _, _ in rubrics], np.int64),
            chosen=firsts + best,
        )

    def coverage(self, numbers: Floats) -> Floats:
        """Coverage of every point by one member of the family, (k,) to (n,)."""
        # The logistic curve, without overflow.
        return np.where(self.read, 0.5 + 0.5 * np.tanh((self.table @ numbers + self.fixed) / 2), 0.0)

    def covered(self, coverage: Floats, cut: float) -> Flags:
        """Which points are covered: (n,)."""
        return (coverage >= cut) & ~self.wrong & ~self.halved

    def outcome(self, coverage: Floats, cuts: Cuts) -> Outcome:
        """Score and verdict of every answer, as grading/score.py has them."""
        held = np.where(self.halved, np.minimum(coverage, (cuts.partial + cuts.covered) / 2), coverage)
        against = self.wrong.copy()
        if cuts.contradicted is not None:
            against |= (self.denied >= cuts.contradicted) & (held < cuts.covered)
        credit = np.clip((held - cuts.partial) / (cuts.covered - cuts.partial), 0.0, 1.0) * ~against
        score = self._sum(self.weight * credit) / self._sum(self.weight)
        contradicted, made = self._sum(against), self._sum(~against & (held >= cuts.partial))
        contradictory = (self._sum(against & self.vital) > 0) | ((contradicted > 0) & (contradicted >= made))
        lacking = self._sum(self.vital & ~against & (held < cuts.partial)) > 0
        # Rounded as the score of a grade is.
        correct = (np.round(100 * score, 1) >= CORRECT_SCORE) & ~lacking & ~contradictory
        best = self._best(score)
        return Outcome(score[best], correct[best], contradictory[best])

    def _sum(self, values: Floats | Flags) -> Floats:
        """Over the points of each rubric: (n,) to (r,)."""
        return np.bincount(self.rubric, values, minlength=len(self.answer)).astype(np.float64)

    def _best(self, score: Floats) -> Integers:
        """The first rubric with the highest score of each answer: (r,) to (a,)."""
        order = np.lexsort((-np.arange(len(score)), score, self.answer))
        lasts = np.append(np.flatnonzero(np.diff(self.answer[order])), len(order) - 1)
        best: Integers = order[lasts]
        return best


def _is_halved(base: Calibration, found: Features | None, point: PointGrade, *, by_sample: bool) -> bool:
    if found is None or point.status == "contradicted":
        return False
    used = base.for_sample_answers if by_sample else base
    return point.coverage < sigmoid(used.coverage.log_odds(found)) - _HELD_DOWN


def _denied(base: Calibration, found: Features | None) -> float:
    return base.contradiction.probability(found) if found and base.contradiction else 0.0
