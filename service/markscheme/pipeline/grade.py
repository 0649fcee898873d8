"""Index to a grade: one answer against one rubric."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from markscheme import __version__
from markscheme.grading import segments as segmenting
from markscheme.grading.answer import Answer
from markscheme.grading.chunking import draft_points
from markscheme.grading.coverage import Calibration
from markscheme.grading.decision import Decider
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import EmptyRubricError, InputError, UnknownProfileError
from markscheme.grading.grade import Grade, GraderVersions
from markscheme.grading.marking import MarkingScheme
from markscheme.grading.reading import Reading
from markscheme.grading.rubric import Rubric, Source
from markscheme.grading.text import normalise
from markscheme.pipeline.cache import BoundedCache
from markscheme.pipeline.fitting import segment_spans
from markscheme.pipeline.ports import (
    Embedder,
    IndexedRubric,
    QuestionMatch,
    RubricIndex,
    SentenceSplitter,
    Stemmer,
    Verifier,
)
from markscheme.pipeline.read_beside import INLINE, ReadBeside, for_rubric
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.statements import index_rubric, statements_of

KEPT_PROFILES = 64


def no_profiles(name: str) -> Calibration:
    """Where there are no profiles at all. Raises UnknownProfileError."""
    message = f"There is no calibration profile {name!r}. Leave profile out."
    raise UnknownProfileError(message, pointer="/profile")


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """A rubric ready for any number of answers."""

    scheme: MarkingScheme
    index: RubricIndex
    question_id: str


@dataclass(kw_only=True, eq=False)
class Grader:
    """Grades answers. Safe to share between threads: what it keeps is immutable or locked.

    Limits of length are the business of whoever takes an answer in; here nothing is cut and nothing refused for length.
    `profiles` gives the calibration of that name. It is asked once for each: who is graded last is graded as the first.
    """

    embedder: Embedder
    splitter: SentenceSplitter
    stemmer: Stemmer
    calibration: Calibration
    index: RubricIndex
    inline_index: Callable[[IndexedRubric, str], RubricIndex]
    verifier: Verifier | None = None
    profiles: Callable[[str], Calibration] = no_profiles
    kept_rubrics: int = 64

    def __post_init__(self) -> None:
        self._profiles: BoundedCache[str, Calibration] = BoundedCache(KEPT_PROFILES)
        self._prepared: BoundedCache[tuple[str, str], _Prepared] = BoundedCache(self.kept_rubrics)

    @property
    def versions(self) -> GraderVersions:
        """Everything that decides."""
        return GraderVersions(
            markscheme=__version__,
            embedder=self.embedder.fingerprint,
            calibration=self.calibration.name,
            splitter=f"{segmenting.VERSION}+{self.splitter.version}",
            verifier=self.verifier.fingerprint if self.verifier else None,
        )

    def grade(self, request: GradeRequest) -> Grade:
        """Grade one answer.

        Raises:
            UnknownQuestionError: the index has no such question.
            UnknownProfileError: no calibration has the name of the profile.
            UnusableProfileError: the profile cannot be read, or not be used with the verifier.
            EmptyRubricError: nothing gradable in the points or the sample answer.
            UnservableIndexError: a question id was given, and no index can be served.
            VerifierError: the calibration reads a verifier, and that failed.
        """
        grades = [one.grade() for one in self.read(request)]
        return replace(max(grades, key=lambda grade: grade.score), id=request.id)

    def measure(self, request: GradeRequest) -> list[list[Reading | None]]:
        """What was read for each point, one list a rubric: the input of a calibration. Raises as `grade` does."""
        return [one.decider.measure() for one in self.read(request)]

    def read(self, request: GradeRequest) -> list[ReadBeside]:
        """The answer beside each rubric that it is marked by: one, or one for each sample answer. Raises as `grade`."""
        calibration = self._calibration(request)
        prepared = self._rubrics(request)
        answer = self._read(request.answer)
        return [self._beside(answer, one, calibration) for one in prepared]

    def match(self, text: str, limit: int = 5) -> list[QuestionMatch]:
        """The indexed questions that a text is nearest to: a question, or an answer to one."""
        answer = self._read(text)
        if not len(answer):
            return []
        weights = answer.token_counts.astype(np.float32)
        mean = weights @ answer.vectors
        return self.index.match(mean / np.linalg.norm(mean), limit)

    def _read(self, raw: str) -> Answer:
        normal = normalise(raw)
        spans = segment_spans(normal.text, self.splitter, self.embedder)
        return Answer.of(normal, spans, self.embedder.embed([normal.text[a:b] for a, b in spans]), self.stemmer.stem)

    def _rubrics(self, request: GradeRequest) -> list[_Prepared]:
        if sum(way is not None for way in (request.question_id, request.points, request.sample_answers)) != 1:
            message = "Give exactly one of question_id, points and sample_answer."
            raise InputError(message)
        if request.question_id is not None:
            indexed = self.index.indexed(request.question_id)
            return [self._prepare(indexed)]
        question = request.question or ""
        if request.points is not None:
            if not request.points:
                message = "points is empty: give at least one point to mark the answer by."
                raise EmptyRubricError(message, pointer="/points")
            for place, point in enumerate(request.points):
                if not any(char.isalnum() for char in point.text):
                    message = f"This point has no word to look for: {point.text!r}. Write it as a sentence."
                    raise EmptyRubricError(message, pointer=f"/points/{place}")
            return [self._inline(Rubric(INLINE, question, request.points))]
        if not request.sample_answers:
            message = "sample_answer is empty: give at least one good answer to mark by."
            raise EmptyRubricError(message, pointer="/sample_answer")
        return [self._drafted(sample, question) for sample in request.sample_answers]

    def _drafted(self, sample: str, question: str) -> _Prepared:
        points = draft_points(sample, self.splitter.sentences, question or None)
        if not points:
            message = "The sample answer holds no word to mark an answer by. Give the text of a good answer."
            raise EmptyRubricError(message, pointer="/sample_answer")
        return self._inline(Rubric(INLINE, question, points, source=Source(derived_from="sample_answer")))

    def _inline(self, rubric: Rubric) -> _Prepared:
        # The same texts are marked otherwise as points than as a sample answer.
        key = f"{INLINE}/{rubric.source.derived_from}", rubric.version
        return self._prepared.get_or_make(key, partial(self._index_inline, rubric))

    def _index_inline(self, rubric: Rubric) -> _Prepared:
        self._refuse_long_points(rubric)
        indexed = index_rubric(rubric, self.embedder)
        return self._scheme(indexed, self.inline_index(indexed, self.embedder.fingerprint))

    def _refuse_long_points(self, rubric: Rubric) -> None:
        statements = statements_of(rubric)
        for one, tokens in zip(statements, self.embedder.count_tokens([one.text for one in statements]), strict=True):
            if tokens > self.embedder.max_tokens:
                where = "/sample_answer" if rubric.source.derived_from == "sample_answer" else f"/points/{one.point}"
                message = (
                    f"A point has {tokens} tokens; the model reads {self.embedder.max_tokens} as one idea: "
                    f"{one.text[:60]!r}. Split it."
                )
                raise InputError(message, pointer=where)

    def _prepare(self, indexed: IndexedRubric) -> _Prepared:
        key = indexed.rubric.id, indexed.rubric.version
        return self._prepared.get_or_make(key, partial(self._scheme, indexed, self.index))

    def _scheme(self, indexed: IndexedRubric, index: RubricIndex) -> _Prepared:
        rows = [(one.point, one.kind == "misconception", one.text) for one in indexed.statements]
        scheme = MarkingScheme.of(indexed.rubric, rows, indexed.embeddings, self.stemmer.stem)
        return _Prepared(scheme, index, indexed.rubric.id)

    def _calibration(self, request: GradeRequest) -> Calibration:
        """The one that is set, or that of the profile that the request names."""
        if request.profile is None:
            return self.calibration
        return self._profiles.get_or_make(request.profile, partial(self.profiles, request.profile))

    def _beside(self, answer: Answer, prepared: _Prepared, calibration: Calibration) -> ReadBeside:
        cosines = self._cosines(answer, prepared)
        scheme = prepared.scheme
        decider = Decider(
            answer,
            scheme.points,
            cosines,
            for_rubric(calibration, scheme.rubric),
            question=normalise(scheme.rubric.question).text,
            verify=self.verifier.verify if self.verifier else None,
        )
        nearest = float(cosines.max(initial=-1.0))
        # Nothing that is kept holds vectors: `calibrate` keeps thousands of these.
        kept = replace(scheme, points=())
        return ReadBeside(answer.without_vectors, kept, decider, calibration, nearest, self.versions)

    def _cosines(self, answer: Answer, prepared: _Prepared) -> Vectors:
        if not len(answer):
            statements = sum(len(one.making) + len(one.contradicting) for one in prepared.scheme.points)
            return np.zeros((0, statements), np.float32)
        queries = np.concatenate([answer.vectors, answer.pair_vectors])
        return prepared.index.similarities(prepared.question_id, queries)
