"""The index that stands in where none can be served."""

from typing import NoReturn

from markscheme.grading.errors import UnservableIndexError
from markscheme.pipeline.ports import RubricIndex


class RefusedIndex(RubricIndex):
    """Says why there is no index to whoever needs one, so that answers with a rubric of their own are still graded."""

    def __init__(self, reason: UnservableIndexError) -> None:
        self._reason = reason

    def _refuse(self, *_: object) -> NoReturn:
        # Without its traceback: raised again and again, it would grow with every request.
        raise self._reason.with_traceback(None)

    @property
    def embedder_fingerprint(self) -> str:
        """Raises UnservableIndexError, as everything here does."""
        self._refuse()

    question_ids = rubric = indexed = question_vector = similarities = match = _refuse
