"""One statement as it was found in an answer: what was measured of it, and what the verifier says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markscheme.grading.alignment import FEATURES, Alignment
from markscheme.grading.answer import Answer
from markscheme.grading.logistic import log_odds_of
from markscheme.grading.passage import bearing_segments, passage_text
from markscheme.grading.verification import Claim, Verification

# What a verifier adds to the features of similarity, as log-odds: more of either never makes a point less likely.
VERIFIER_FEATURES = ("supported", "not_contradicted")
ALL_FEATURES = (*FEATURES, *VERIFIER_FEATURES)

Verify = Callable[[Sequence[Claim]], Sequence[Verification]]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A statement's alignment, the claim that a verifier judges, and its judgement where there is a verifier."""

    alignment: Alignment
    claim: Claim
    verification: Verification | None = None

    @classmethod
    def of(cls, alignment: Alignment, answer: Answer, question: str) -> "Reading":
        """Choose the passage that bears on the statement."""
        passage = passage_text(answer, bearing_segments(alignment, answer))
        return cls(alignment, Claim(question, alignment.statement.text, passage))

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
