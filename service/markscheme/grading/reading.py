"""One statement as it was found in an answer: what was measured of it, and what the verifier says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markscheme.grading.alignment import FEATURES, Alignment
from markscheme.grading.answer import Answer
from markscheme.grading.logistic import Logistic, log_odds_of
from markscheme.grading.passage import bearing_segments, passage_text
from markscheme.grading.verification import Claim, Verification

# What a verifier adds to the features of similarity, as log-odds: more of either never makes a point less likely.
VERIFIER_FEATURES = ("supported", "not_contradicted")
ALL_FEATURES = (*FEATURES, *VERIFIER_FEATURES)

Verify = Callable[[Sequence[Claim]], Sequence[Verification]]


def hears(regression: Logistic) -> bool:
    """Whether what a verifier says moves a regression: a feature of no weight is read, and decides nothing."""
    weights = zip(regression.features, regression.weights, strict=True)
    return any(weight and name in VERIFIER_FEATURES for name, weight in weights)


@dataclass(frozen=True, eq=False)
class Reading:
    """A statement's alignment with an answer, and what a verifier says of the two where it was asked."""

    alignment: Alignment
    answer: Answer
    question: str = ""
    verification: Verification | None = None

    @cached_property
    def claim(self) -> Claim:
        """What a verifier judges. The passage is chosen here, because most statements of a rubric are never judged."""
        passage = passage_text(self.answer, bearing_segments(self.alignment, self.answer))
        return Claim(self.question, self.alignment.statement.text, passage)

    @property
    def features(self) -> Mapping[str, float]:
        """What a calibration reads, by name."""
        if self.verification is None:
            return self.alignment.features
        return {
            **self.alignment.features,
            "supported": log_odds_of(self.verification.supported),
            "not_contradicted": -log_odds_of(self.verification.contradicted),
        }
