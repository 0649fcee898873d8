"""Coverage: from what was measured of a point to the probability that a person would say the answer makes it."""

from dataclasses import dataclass, replace

from markscheme.grading.cuts import Cuts
from markscheme.grading.logistic import Logistic
from markscheme.grading.reading import VERIFIER_FEATURES

NOT_BY_CHANCE = "not_by_chance"


@dataclass(frozen=True, slots=True)
class Relaxation:
    """How much more freely people credit what a sample answer says than a point of a rubric.

    A Platt scaling: the log-odds of coverage times `slope` plus `offset`; 1 and 0 change nothing. The weight of
    `not_by_chance` is also multiplied by `chance`: who brings a sample answer asks about an answer to that question.
    """

    slope: float = 1.0
    offset: float = 0.0
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Two logistic regressions, and the cuts that turn their probabilities into a status.

    `coverage` says how likely a person would say that the answer makes the point; `contradiction`, which needs a
    verifier, how likely that it says the opposite. Fitted on answers that people graded, see
    evaluation/fit_calibration.py.
    """

    name: str
    coverage: Logistic
    cuts: Cuts
    contradiction: Logistic | None = None
    relaxation: Relaxation = Relaxation()

    @property
    def needs_verifier(self) -> bool:
        """Whether it reads what a verifier says, so that one has to be asked."""
        read = {*self.coverage.features, *(self.contradiction.features if self.contradiction else ())}
        return not read.isdisjoint(VERIFIER_FEATURES)

    @property
    def for_sample_answers(self) -> "Calibration":
        """The same for points drafted from a sample answer on the spot: nobody said that each of them is required."""
        one = self.relaxation
        coverage = self.coverage.scaled(one.slope, one.offset, **{NOT_BY_CHANCE: one.chance})
        return replace(self, coverage=coverage, relaxation=Relaxation())
