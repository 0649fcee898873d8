"""The cosine of whole sentences: the second yardstick that a grader must beat."""

from functools import partial

import numpy as np

from markscheme.agreement.baseline import Likeness, whole_of
from markscheme.agreement.judged import JudgedAnswer
from markscheme.grading.embedding import Vectors
from markscheme.grading.text import normalise
from markscheme.pipeline.cache import BoundedCache
from markscheme.pipeline.fitting import fitting_spans, segment_spans
from markscheme.pipeline.ports import Embedder, SentenceSplitter

_KEPT_REFERENCES = 4096


class SentenceCosine:
    """Likeness by the vectors of sentences alone."""

    def __init__(self, embedder: Embedder, splitter: SentenceSplitter) -> None:
        self._embedder = embedder
        self._splitter = splitter
        self._references: BoundedCache[tuple[str, bool], Vectors] = BoundedCache(_KEPT_REFERENCES)

    def of(self, row: JudgedAnswer) -> Likeness:
        """How near an answer is to each reference, -1 to 1.

        A point is as near as the sentence nearest to it; a sample answer as its sentences are in the mean; 0 for an
        answer without words. Raises EmbedderError.
        """
        sentences = self._vectors(row.answer, are_points=False)
        values = tuple(self._nearness(reference, sentences, are_points=row.are_points) for reference in row.references)
        return Likeness(values, whole_of(values, are_points=row.are_points))

    def _nearness(self, reference: str, sentences: Vectors, *, are_points: bool) -> float:
        make = partial(self._vectors, reference, are_points=are_points)
        wanted = self._references.get_or_make((reference, are_points), make)
        if not len(sentences) or not len(wanted):
            return 0.0
        return float((wanted @ sentences.T).max(axis=1).mean())

    def _vectors(self, raw: str, *, are_points: bool) -> Vectors:
        """One vector a sentence: (n, d); a point is one sentence, whatever it holds."""
        text = normalise(raw).text
        if are_points:
            spans = fitting_spans(text, [(0, len(text))], self._embedder)
        else:
            spans = segment_spans(text, self._splitter, self._embedder)
        vectors = [embedding.vector for embedding in self._embedder.embed([text[start:end] for start, end in spans])]
        return np.stack(vectors) if vectors else np.zeros((0, self._embedder.dimension), np.float32)
