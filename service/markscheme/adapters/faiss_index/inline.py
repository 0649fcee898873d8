"""The index of one rubric that came with a request."""

import numpy as np

from markscheme.adapters.faiss_index.rows import Rows
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import UnknownQuestionError
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import IndexedRubric, QuestionMatch, RubricIndex


class InlineRubricIndex(RubricIndex):
    """One rubric in memory, searched as the built index is: the same vectors give the same bits."""

    def __init__(self, indexed: IndexedRubric, fingerprint: str) -> None:
        """Index a rubric whose statements were embedded by the model that `fingerprint` names."""
        self._indexed = indexed
        self._fingerprint = fingerprint
        self._rows = Rows.of(np.array([embedding.vector for embedding in indexed.embeddings], np.float32))

    @property
    def embedder_fingerprint(self) -> str:
        """The model that made its vectors."""
        return self._fingerprint

    def question_ids(self) -> list[str]:
        """The one id."""
        return [self._indexed.rubric.id]

    def rubric(self, question_id: str) -> Rubric:
        """The rubric. Raises UnknownQuestionError for an id that is not its own."""
        return self.indexed(question_id).rubric

    def indexed(self, question_id: str) -> IndexedRubric:
        """The rubric with its embeddings. Raises UnknownQuestionError for an id that is not its own."""
        if question_id != self._indexed.rubric.id:
            message = f"The request's own rubric has the id {self._indexed.rubric.id!r}, not {question_id!r}."
            raise UnknownQuestionError(message)
        return self._indexed

    def question_vector(self, question_id: str) -> Vectors:
        """Zeros: a request's own question is not among those that are looked for."""
        self.indexed(question_id)
        return np.zeros(self._rows.shape[1], np.float32)

    def similarities(self, question_id: str, queries: Vectors) -> Vectors:
        """Cosine of each query (n, d) with each statement: (n, s). Raises UnknownQuestionError."""
        self.indexed(question_id)
        return self._rows.cosines(0, self._rows.shape[0], queries)

    def match(self, query: Vectors, limit: int) -> list[QuestionMatch]:  # noqa: ARG002 - the Protocol gives both
        """None: the rubric came with the request and is no question of the bank."""
        return []
