"""What a reader of point and passage says: the verifier's question and its answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """Does this passage of an answer make this statement? `question` may be empty."""

    question: str
    statement: str
    passage: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Probabilities, 0 to 1, that the passage makes the statement and that it contradicts it; together at most 1.

    What is left is the probability that it does neither.
    """

    supported: float
    contradicted: float
