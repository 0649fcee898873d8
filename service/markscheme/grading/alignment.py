"""How far a statement can be found in an answer, measured word by word.

Contextual late interaction (each word of the statement looks for its nearest token anywhere in a passage, Khattab and
Zaharia 2020, ColBERT) and plain word overlap see different things: overlap cannot be fooled by a near topic, token
vectors know other words for the same thing. Here both are weighed by what the words carry (statement.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.answer import Answer
from markscheme.grading.embedding import Vectors
from markscheme.grading.statement import WeighedStatement

FEATURES = (
    "match_passage",  # best two segments running: weight of the words found, by stem or by meaning
    "weakest_words",  # how well the worst-found quarter of the weight is found
    "meaning_segment",  # best segment: weight of the words found by meaning alone
    "cosine_passage",  # best sentence or pair cosine
    "numbers_missing",  # share of the statement's numbers that the answer nowhere has, negative
    "not_by_chance",  # the passage says the statement whole, or the answer is one to this rubric: either is enough
)

# A token's nearest neighbour in an unrelated text reaches about .3; the same word in another sentence about .8.
UNRELATED = 0.30
RELATED_SPAN = 0.50
WEAKEST_SHARE = 0.25
# An answer to another question of the same field finds a quarter of a rubric's words by chance; one to the question
# itself finds two fifths and more, in whatever words. Between the two, how likely a near miss is meant as the point.
CHANCE_MATCH = 0.26
RELEVANT_MATCH = 0.46
# Of fewer points an honest answer may well make one and no other; so they say nothing of what it is about.
FEWEST_TO_RELATE = 8


@dataclass(frozen=True, eq=False)
class Alignment:
    """How far each word of a statement is found in each segment, 0 to 1, by stem and by meaning: both (w, s).

    `cosines` (s,) and `pair_cosines` (s - 1,) are of the statement with the segments and with pairs of segments.
    """

    statement: WeighedStatement
    by_stem: NDArray[np.float64]
    by_meaning: NDArray[np.float64]
    cosines: Vectors
    pair_cosines: Vectors
    relevance: float = 0.0

    @cached_property
    def found(self) -> NDArray[np.float64]:
        """The better of the two, (w, s)."""
        return np.maximum(self.by_stem, self.by_meaning)

    @cached_property
    def said(self) -> NDArray[np.float64]:
        """How much of the statement each segment says by itself, (s,), 0 to 1."""
        return np.asarray(self.statement.weights @ self.found)

    @cached_property
    def match_passage(self) -> float:
        """How much of the statement the best two segments running say, 0 to 1."""
        return float((self.statement.weights @ _pairs(self.found)).max())

    def together(self, segment: int, other: int) -> float:
        """How much of the statement two segments say between them, 0 to 1."""
        return float(self.statement.weights @ np.maximum(self.found[:, segment], self.found[:, other]))

    @property
    def best_segment(self) -> int:
        """The segment that says most; of equals, the one that is nearest as a whole."""
        return int((self.said + 1e-3 * self.cosines).argmax())

    @cached_property
    def features(self) -> dict[str, float]:
        """What a calibration reads, by name."""
        weights = self.statement.weights
        return {
            "match_passage": self.match_passage,
            "weakest_words": _weakest(weights, self.found.max(axis=1)),
            "meaning_segment": float((weights @ self.by_meaning).max()),
            "cosine_passage": float(max(self.cosines.max(), self.pair_cosines.max(initial=-1.0))),
            "numbers_missing": _numbers_missing(self.statement, self.by_stem),
            "not_by_chance": 1.0 - (1.0 - self.match_passage) * (1.0 - self.relevance),
        }

    def without(self, segments: NDArray[np.bool_]) -> "Alignment":
        """The same with some segments (s,) blanked, as if the answer had not said them."""
        keep = ~segments
        pairs_kept = keep[:-1] & keep[1:]
        return replace(
            self,
            by_stem=self.by_stem * keep,
            by_meaning=self.by_meaning * keep,
            cosines=np.where(keep, self.cosines, np.float32(-1)),
            pair_cosines=np.where(pairs_kept, self.pair_cosines, np.float32(-1)),
        )


def align(statement: WeighedStatement, answer: Answer, cosines: Vectors, pair_cosines: Vectors) -> Alignment | None:
    """Measure one statement against an answer; None where either has no word."""
    if not statement.words or not len(answer):
        return None
    by_stem = np.array([[float(word.stem in stems) for stems in answer.stems] for word in statement.words])
    return Alignment(statement, by_stem, _meaning(statement, answer), cosines, pair_cosines)


def relevance(matches: Sequence[float]) -> float:
    """From the `match_passage` of every point of a rubric to how far the answer is one to it, 0 to 1.

    1 for a rubric of fewer than FEWEST_TO_RELATE points.
    """
    if len(matches) < FEWEST_TO_RELATE:
        return 1.0
    mean = sum(matches) / len(matches)
    return min(1.0, max(0.0, (mean - CHANCE_MATCH) / (RELEVANT_MATCH - CHANCE_MATCH)))


def _meaning(statement: WeighedStatement, answer: Answer) -> NDArray[np.float64]:
    """Nearest token of each segment to each word, brought to 0..1: (w, s)."""
    similarity = answer.tokens @ statement.embedding.tokens.T
    nearest = np.maximum.reduceat(similarity, answer.first_tokens, axis=0)
    return np.clip(((nearest @ statement.averaging.T).T.astype(np.float64) - UNRELATED) / RELATED_SPAN, 0.0, 1.0)


def _pairs(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two segments running read as one: (w, s - 1), or the one segment there is."""
    return np.maximum(found[:, :-1], found[:, 1:]) if found.shape[1] > 1 else found


def _weakest(weights: NDArray[np.float64], found: NDArray[np.float64]) -> float:
    order = np.argsort(found, kind="stable")
    # With room for rounding: an order of summing must not move the quarter by a whole word.
    reached = np.cumsum(weights[order]) >= WEAKEST_SHARE - 1e-9
    return float(found[order][int(reached.argmax())])


def _numbers_missing(statement: WeighedStatement, by_stem: NDArray[np.float64]) -> float:
    numbers = [word.is_number for word in statement.words]
    return float(by_stem[numbers].max(axis=1).mean()) - 1.0 if any(numbers) else 0.0
