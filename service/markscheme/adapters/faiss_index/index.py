"""A built index that serves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from markscheme.adapters.faiss_index.manifest import QuestionEntry
from markscheme.adapters.faiss_index.rows import Rows
from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.errors import UnknownQuestionError
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import IndexedRubric, QuestionMatch, RubricIndex, Statement


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """The tokens of all statements, one after another; statement i has those from starts[i] to starts[i + 1].

    vectors: (t, d) float32. offsets: (t, 2) int32. rarity: (t,) float32. starts: (statements + 1,) int64.
    """

    vectors: Vectors
    offsets: NDArray[np.int32]
    rarity: Vectors
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One question: where it stands, and what it says. `place` is its row among the questions."""

    place: int
    where: QuestionEntry
    rubric: Rubric
    statements: tuple[Statement, ...]


class FaissRubricIndex(RubricIndex):
    """Rubrics with their vectors in FAISS and their token vectors in mapped memory. Many threads may share one."""

    def __init__(
        self, fingerprint: str, entries: list[Entry], points: Rows, questions: Rows, tokens: TokenTable
    ) -> None:
        """Join the parts that `reading` has checked."""
        self._fingerprint = fingerprint
        self._entries = {entry.where.id: entry for entry in entries}
        self._by_place = entries
        self._points = points
        self._questions = questions
        self._tokens = tokens

    @property
    def embedder_fingerprint(self) -> str:
        """The model that made its vectors."""
        return self._fingerprint

    def question_ids(self) -> list[str]:
        """Ids in order."""
        return list(self._entries)

    def rubric(self, question_id: str) -> Rubric:
        """The rubric of one question. Raises UnknownQuestionError."""
        return self._entry(question_id).rubric

    def indexed(self, question_id: str) -> IndexedRubric:
        """The rubric with its embeddings, read only. Raises UnknownQuestionError."""
        entry = self._entry(question_id)
        start, stop = entry.where.rows
        vectors = self._points.vectors(start, stop)
        embeddings = tuple(self._embedding(vector, row) for row, vector in enumerate(vectors, start))
        return IndexedRubric(entry.rubric, entry.statements, embeddings)

    def question_vector(self, question_id: str) -> Vectors:
        """What stands for the question in `match`: (d,). Raises UnknownQuestionError."""
        place = self._entry(question_id).place
        vector: Vectors = self._questions.vectors(place, place + 1)[0]
        return vector

    def similarities(self, question_id: str, queries: Vectors) -> Vectors:
        """Cosine of each query (n, d) with each statement of the question: (n, s). Raises UnknownQuestionError."""
        return self._points.cosines(*self._entry(question_id).where.rows, queries)

    def match(self, query: Vectors, limit: int) -> list[QuestionMatch]:
        """The questions nearest to one vector (d,), best first; none for a text without tokens."""
        if not query.any():
            return []
        found = self._questions.nearest(query, limit)
        return [_match(self._by_place[place].rubric, similarity) for place, similarity in found]

    def _entry(self, question_id: str) -> Entry:
        try:
            return self._entries[question_id]
        except KeyError:
            message = f"No question has the id {question_id!r}. `markscheme questions` lists those that are indexed."
            raise UnknownQuestionError(message, pointer="/question_id") from None

    def _embedding(self, vector: Vectors, row: int) -> Embedding:
        own = slice(int(self._tokens.starts[row]), int(self._tokens.starts[row + 1]))
        return Embedding(vector, self._tokens.vectors[own], self._tokens.offsets[own], self._tokens.rarity[own])


def _match(rubric: Rubric, similarity: float) -> QuestionMatch:
    return QuestionMatch(rubric.id, rubric.question, rubric.topic, similarity)
