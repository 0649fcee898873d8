from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from markscheme import bootstrap
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import MarkschemeError, UnknownQuestionError
from markscheme.grading.grade import Evidence, Flag, Grade, GraderVersions, PointGrade
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.ports import IndexedRubric, QuestionMatch
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import Settings
from markscheme.web.app import create_app
from markscheme.web.desk import GraderPort

RUBRICS = (
    Rubric(
        id="hashing/lookup",
        question="Why is a hash table quick to search?",
        topic="Hashing",
        difficulty="easy",
        status="reviewed",
        points=(
            Point("p1", "The hash says where the value is.", alternatives=("The key's hash is its address.",)),
            Point("p2", "Collisions make it slower.", importance="okay", weight=0.5),
        ),
    ),
    Rubric(
        id="hashing/resize",
        question="When is a hash table made larger?",
        topic="Hashing",
        points=(Point("p1", "When it is nearly full."),),
    ),
    Rubric(
        id="trees/balance",
        question="Why is a search tree balanced?",
        topic="Trees",
        points=(Point("p1", "So that every path stays short."),),
    ),
)


@dataclass
class RubricsInMemory:
    """An index of given rubrics; with a `refusal`, one that cannot be served."""

    rubrics: tuple[Rubric, ...] = RUBRICS
    refusal: MarkschemeError | None = None
    embedder_fingerprint: str = "scripted"

    def question_ids(self) -> list[str]:
        if self.refusal is not None:
            raise self.refusal
        return [rubric.id for rubric in self.rubrics]

    def rubric(self, question_id: str) -> Rubric:
        if self.refusal is not None:
            raise self.refusal
        for rubric in self.rubrics:
            if rubric.id == question_id:
                return rubric
        message = f"No question has the id {question_id!r}."
        raise UnknownQuestionError(message, pointer="/question_id")

    def indexed(self, question_id: str) -> IndexedRubric:
        return IndexedRubric(self.rubric(question_id), (), ())

    def similarities(self, question_id: str, queries: Vectors) -> Vectors:
        statements = len(self.rubric(question_id).points)
        return np.zeros((len(queries), statements), np.float32)

    def match(self, query: Vectors, limit: int) -> list[QuestionMatch]:
        assert query.ndim == 1
        return [QuestionMatch(r.id, r.question, r.topic, 0.5) for r in self.rubrics[:limit]]


@dataclass
class ScriptedGrader:
    """Gives the points that a test wrote; `before` runs first, in the worker, and may block or raise."""

    index: RubricsInMemory = field(default_factory=RubricsInMemory)
    points: tuple[PointGrade, ...] = ()
    flags: tuple[Flag, ...] = ()
    reasons: tuple[str, ...] = ()
    feedback: str = ""
    verifier: str | None = None
    before: Callable[[], object] = lambda: None
    seen: list[GradeRequest] = field(default_factory=list)

    def grade(self, request: GradeRequest) -> Grade:
        self.seen.append(request)
        self.before()
        points = self.points
        if request.question_id is not None:
            rubric = self.index.rubric(request.question_id)
            points = points or tuple(
                PointGrade(p.id, p.text, p.importance, p.weight, "missing", 0.1, 0.0, "similarity")
                for p in rubric.points
            )
        return Grade(
            question_id=request.question_id or "inline",
            rubric_version="0123456789ab",
            score=62.5,
            verdict="partial",
            vital_coverage=0.5,
            points=points,
            missing=tuple(point.id for point in points if point.status == "missing"),
            contradicted=tuple(point.id for point in points if point.status == "contradicted"),
            flags=self.flags,
            confidence=0.75,
            needs_review=bool(self.reasons),
            review_reasons=self.reasons,
            feedback=self.feedback,
            grader=GraderVersions("0.1.0", "scripted", "1", "2", self.verifier),
            id=request.id,
        )

    def match(self, text: str, limit: int) -> list[QuestionMatch]:
        assert text
        return self.index.match(np.zeros(2, np.float32), limit)


Serve = Callable[..., AbstractContextManager[TestClient]]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, threads=2, max_answer_chars=200, max_body_bytes=4_096)


@pytest.fixture
def serve(settings: Settings) -> Serve:
    """Start the service over a grader, or over what loading one raises, with other settings where they are given."""

    @contextmanager
    def start(grader: GraderPort | Exception, **changed: object) -> Iterator[TestClient]:
        def load() -> GraderPort:
            if isinstance(grader, Exception):
                raise grader
            return grader

        app = create_app(load, settings=settings.model_copy(update=changed))
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client

    return start


@pytest.fixture
def scripted() -> ScriptedGrader:
    return ScriptedGrader()


@pytest.fixture
def client(serve: Serve, scripted: ScriptedGrader) -> Iterator[TestClient]:
    with serve(scripted) as client:
        yield client


@pytest.fixture
def refused() -> Callable[[MarkschemeError], ScriptedGrader]:
    """A grader whose index cannot be served, while its model works."""
    return lambda error: ScriptedGrader(RubricsInMemory(refusal=error))


@pytest.fixture
def point_grade() -> Callable[..., PointGrade]:
    """A point's grade, with evidence given as spans of an answer."""
    plain = PointGrade("p", "A point.", "vital", 1.0, "covered", 0.9, 1.0, "similarity")

    def make(answer: str = "", *spans: tuple[int, int], **changed: object) -> PointGrade:
        evidence = tuple(Evidence(start, end, answer[start:end]) for start, end in spans)
        return replace(plain, evidence=evidence, **changed)  # type: ignore[arg-type]  # fields by name, for brevity

    return make


@pytest.fixture
def serve_built(settings: Settings, serve: Serve) -> Callable[..., AbstractContextManager[TestClient]]:
    """Write the rubrics into a home of their own, build the index with an embedder, and serve the real grader."""

    @contextmanager
    def start(embedder: str) -> Iterator[TestClient]:
        # The packaged models go together; what stands in for one needs no other.
        verifier = "minilm" if embedder == "minilm" else "off"
        chosen = settings.model_copy(update={"embedder": embedder, "verifier": verifier})
        store = bootstrap.rubric_store(chosen)
        for rubric in RUBRICS:
            store.save(rubric)
        bootstrap.build_index(chosen)
        with serve(bootstrap.grader(chosen)) as client:
            yield client

    return start
