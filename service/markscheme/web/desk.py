"""Where answers are graded: a grader, a few workers, and a waiting line that has an end."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from markscheme.grading.errors import MarkschemeError
from markscheme.grading.grade import Grade
from markscheme.pipeline.ports import QuestionMatch, RubricIndex
from markscheme.pipeline.request import GradeRequest
from markscheme.web.errors import BusyError

Done = TypeVar("Done")


class GraderPort(Protocol):
    """What the service asks of a grader."""

    @property
    def index(self) -> RubricIndex:
        """The rubrics it grades by. One that cannot be served raises UnservableIndexError when it is used."""
        ...

    def grade(self, request: GradeRequest) -> Grade:
        """Grade one answer. Raises InputError, UnservableIndexError, EmbedderError or VerifierError."""
        ...

    def match(self, text: str, limit: int) -> list[QuestionMatch]:
        """The questions that a text is about, best first."""
        ...


class GradingDesk:
    """Grades in its own threads, so that the event loop stays free to answer the quick requests.

    Args:
        factory: Makes the grader. Called once, by `open`.
        workers: Answers graded at the same time.
        queue_limit: Answers that may wait besides; one more is refused with BusyError.
    """

    def __init__(self, factory: Callable[[], GraderPort], *, workers: int, queue_limit: int) -> None:
        self._factory = factory
        self._executor = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="grading")
        self._room = threading.BoundedSemaphore(workers + queue_limit)
        self._grader: GraderPort | None = None
        self._refusal: MarkschemeError | None = None

    async def open(self) -> None:
        """Load the grader. A failure of a known kind is kept: every later request is answered with it."""
        try:
            self._grader = await asyncio.wrap_future(self._executor.submit(self._factory))
        except MarkschemeError as error:
            self._refusal = error

    def close(self) -> None:
        """Finish what is being graded, and drop what waits."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    @property
    def grader(self) -> GraderPort:
        """The grader. Raises what kept it from being loaded."""
        if self._refusal is not None:
            # Without its traceback: raised again and again, it would grow with every request.
            raise self._refusal.with_traceback(None)
        if self._grader is None:
            message = "The grader is not loaded yet. Wait for /readyz to answer 200."
            raise BusyError(message)
        return self._grader

    async def grade(self, request: GradeRequest) -> Grade:
        """Grade one answer. Raises BusyError, and what the grader raises."""
        grader = self.grader
        return await self._run(lambda: grader.grade(request))

    async def match(self, text: str, limit: int) -> list[QuestionMatch]:
        """Find questions. Raises BusyError, and what the grader raises."""
        grader = self.grader
        return await self._run(lambda: grader.match(text, limit))

    async def _run(self, work: Callable[[], Done]) -> Done:
        if not self._room.acquire(blocking=False):
            message = "Too many answers are waiting to be graded. Send this one again a little later."
            raise BusyError(message)
        future = self._executor.submit(work)
        # The place is free when the work ends, not when the caller stops waiting for it.
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, _: Future[Done]) -> None:
        self._room.release()
