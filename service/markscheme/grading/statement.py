"""A statement to look for in an answer, with what each of its words weighs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.embedding import Embedding
from markscheme.grading.words import Word, scan

# Chosen on realsumm_dev, argkp_dev, scientsbank and beetle by the area under the curve of `match_answer` alone; each
# is flat around the value: half or double it and the area moves by less than 0.01.
FUNCTION_WORD = 0.12
BASE = 0.10
IN_QUESTION = 0.06
SHARED_BY_ALL_POINTS = 0.80
FEWEST_POINTS_TO_COMPARE = 4


@dataclass(frozen=True, eq=False)
class WeighedStatement:
    """A statement and its words.

    `weights` (w,) sum to 1: how much of the statement each word carries. `averaging` (w, t) takes rows of tokens to
    rows of words.
    """

    text: str
    embedding: Embedding
    words: tuple[Word, ...]
    weights: NDArray[np.float64]
    averaging: NDArray[np.float32]

    @property
    def without_vectors(self) -> "WeighedStatement":
        """The same with vectors of no width: what was found of it can be decided, and nothing more be looked for."""
        return replace(self, embedding=self.embedding.without_vectors)


class Weigher:
    """Weighs the words of a rubric's statements.

    A word weighs by its rarity in the language, like the weights of BM25 and of ColBERT's successors; nearly nothing
    when the question has given it away already; and less when it stands in most points of the rubric, since it cannot
    tell them apart.
    """

    def __init__(self, stem: Callable[[str], str], question: str | None, points: Sequence[str]) -> None:
        self._stem = stem
        self._given = frozenset(word.stem for word in scan(question or "", stem))
        self._shared = _document_frequency(points, stem) if len(points) >= FEWEST_POINTS_TO_COMPARE else Counter()
        self._others = max(1, len(points) - 1)

    def weigh(self, text: str, embedding: Embedding) -> WeighedStatement:
        """One statement. The weights of a text without words are empty."""
        words = scan(text, self._stem)
        rows = token_rows(words, embedding)
        raw = np.array([self._weight(word, row, embedding) for word, row in zip(words, rows, strict=True)])
        averaging = (rows / np.maximum(1, rows.sum(axis=1, keepdims=True))).astype(np.float32)
        return WeighedStatement(text, embedding, words, raw / raw.sum() if len(raw) else raw, averaging)

    def _weight(self, word: Word, row: NDArray[np.bool_], embedding: Embedding) -> float:
        rarest = float(embedding.rarity[row].max(initial=0.0))
        own = FUNCTION_WORD if word.is_function else BASE + rarest
        if word.stem in self._given:
            own *= IN_QUESTION
        return own * (1.0 - SHARED_BY_ALL_POINTS * max(0, self._shared[word.stem] - 1) / self._others)


def token_rows(words: Sequence[Word], embedding: Embedding) -> NDArray[np.bool_]:
    """Which tokens belong to which word, (w, t)."""
    spans = np.array([(word.start, word.end) for word in words], np.int64).reshape(-1, 2)
    starts, ends = embedding.offsets[:, 0], embedding.offsets[:, 1]
    return np.asarray((starts[None, :] < spans[:, 1:]) & (ends[None, :] > spans[:, :1]))


def _document_frequency(points: Iterable[str], stem: Callable[[str], str]) -> Counter[str]:
    return Counter(found for point in points for found in {word.stem for word in scan(point, stem)})
