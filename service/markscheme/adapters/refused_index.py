"""The index that stands in where none can be served."""

from typing import NoReturn

from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import UnservableIndexError
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import IndexedRubric, QuestionMatch, RubricIndex


class RefusedIndex(RubricIndex):
    """Says why there is no index to whoever needs one, so that answers with a rubric of their own are still graded.

    Everything here raises the UnservableIndexError that it was made with.
    """

    def __init__(self, reason: UnservableIndexError) -> None:
        self._reason = reason

    @property
    def embedder_fingerprint(self) -> str:
        """Raises."""
        self._refuse()

    def question_ids(self) -> list[str]:
        """Raises."""
        self._refuse()

    def rubric(self, question_id: str) -> Rubric:
        """Raises."""
        self._refuse(question_id)

    def indexed(self, question_id: str) -> IndexedRubric:
        """Raises."""
        self._refuse(question_id)

    def question_vector(self, question_id: str) -> Vectors:
        """Raises."""
        self._refuse(question_id)

    def similarities(self, question_id: str, queries: Vectors) -> Vectors:
        """Raises."""
        self._refuse(question_id, queries)

    def match(self, query: Vectors, limit: int) -> list[QuestionMatch]:
        """Raises."""
        self._refuse(query, limit)

    def _refuse(self, *_asked: object) -> NoReturn:
        # Without its traceback: raised again and again, it would grow with every request.
        raise self._reason.with_traceback(None)
