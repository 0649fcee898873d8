"""An answer, ready to be searched: its segments, their vectors and words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.text import NormalText, Span
from markscheme.grading.words import Word, scan


@dataclass(frozen=True, eq=False)
class Answer:
    """A normalised answer in segments.

    `segments` are spans of `normal.text`; `embeddings` and `words` have one entry a segment. Token rows of all
    segments stand one after another in `tokens` (t, d); `first_tokens` (s,) says where each segment's rows start.
    """

    normal: NormalText
    segments: tuple[Span, ...]
    embeddings: tuple[Embedding, ...]
    words: tuple[tuple[Word, ...], ...]

    @classmethod
    def of(
        cls,
        normal: NormalText,
        segments: Sequence[Span],
        embeddings: Sequence[Embedding],
        stem: Callable[[str], str],
    ) -> "Answer":
        """Join what was found of an answer; a segment in which the model sees no token is left out."""
        kept = [(span, item) for span, item in zip(segments, embeddings, strict=True) if len(item.tokens)]
        spans = tuple(span for span, _ in kept)
        texts = [normal.text[start:end] for start, end in spans]
        return cls(normal, spans, tuple(item for _, item in kept), tuple(scan(text, stem) for text in texts))

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def without_vectors(self) -> "Answer":
        """The same with vectors of no width: it can be decided, and no longer compared."""
        return replace(self, embeddings=tuple(one.without_vectors for one in self.embeddings))

    @cached_property
    def vectors(self) -> Vectors:
        """Sentence vectors, (s, d)."""
        return np.stack([item.vector for item in self.embeddings])

    @cached_property
    def tokens(self) -> Vectors:
        """Token vectors of all segments, (t, d)."""
        return np.concatenate([item.tokens for item in self.embeddings])

    @cached_property
    def token_counts(self) -> NDArray[np.int64]:
        """Tokens of each segment, (s,)."""
        return np.array([len(item.tokens) for item in self.embeddings])

    @cached_property
    def first_tokens(self) -> NDArray[np.int64]:
        """Where each segment's token rows start, (s,)."""
        return np.cumsum(self.token_counts) - self.token_counts

    @cached_property
    def stems(self) -> tuple[frozenset[str], ...]:
        """The stems of each segment."""
        return tuple(frozenset(word.stem for word in words) for words in self.words)

    @cached_property
    def overlaps(self) -> NDArray[np.bool_]:
        """Which segments share characters, (s, s); each does with itself."""
        starts, ends = np.array(self.segments).reshape(-1, 2).T
        return np.asarray((starts[:, None] < ends) & (starts < ends[:, None]))

    @cached_property
    def pair_vectors(self) -> Vectors:
        """Vectors of two segments that follow one another, (s - 1, d): the token-weighted mean, unit length.

        A model that pools by mean gives nearly this vector for both sentences read together; here it costs no pass.
        """
        weighted = self.vectors * self.token_counts[:, None].astype(np.float32)
        pairs = weighted[:-1] + weighted[1:]
        norms = np.linalg.norm(pairs, axis=1, keepdims=True)
        return np.asarray(pairs / np.maximum(norms, np.float32(1e-9)), dtype=np.float32)
