"""The cuts that agree best with people, among few enough to try them all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from markscheme.agreement.arrays import Flags, Floats
from markscheme.agreement.of_points import MAJORITY
from markscheme.agreement.tables import macro_f1, table
from markscheme.grading.cuts import Cuts
from markscheme.pipeline.calibration_family import DIGITS
from markscheme.pipeline.calibration_marks import Marks, Outcome

# Fewer contradictory answers say nothing of where a contradiction begins.
LEAST_CONTRADICTORY = 5
# What is tried: the upper cut, the lower one as a share of it, and the cut of contradictions.
_COVERED = (0.05, 0.95)
_SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)
_CONTRADICTED = (0.1, 0.95)


@dataclass(frozen=True, slots=True, eq=False)
class CutSearch:
    """Looks for cuts.

    `before` and `after` are coverages, (n,), by the calibration in use and by the fitted one; `cuts` are those in use,
    and `prior` is how much an old decision weighs beside one of people.
    """

    marks: Marks
    before: Floats
    after: Floats
    cuts: Cuts
    prior: float

    def by_points(self, shares: Floats) -> Cuts:
        """By the share of people who say that each point is made, (n,), NaN where they did not judge it."""
        judged = ~np.isnan(shares)
        as_before = self.marks.covered(self.before, self.cuts.covered)[judged]
        made = shares[judged] > MAJORITY

        def error(cuts: Cuts) -> float:
            chosen = self.marks.covered(self.after, cuts.covered)[judged]
            return 1.0 - self._macro_f1(made, as_before, chosen)

        share = self.cuts.partial / self.cuts.covered
        return _best((self._pair(covered, share) for covered in _steps(*_COVERED)), error, self.cuts)

    def by_scores(self, scores: Floats) -> Cuts:
        """By the scores that people gave, (a,), 0 to 1."""
        as_before = self.marks.outcome(self.before, self.cuts).score

        def error(cuts: Cuts) -> float:
            found = self._outcome(cuts).score
            return float(np.square(found - scores).mean() + self.prior * np.square(found - as_before).mean())

        return self._both(error)

    def by_labels(self, correct: Flags, contradictory: Flags, *, may_contradict: bool) -> Cuts:
        """By what people call correct and contradictory, (a,); `may_contradict` where grades tell contradictions."""
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
