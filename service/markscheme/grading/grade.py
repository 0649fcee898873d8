"""The grade: what is given back for one answer."""

from dataclasses import dataclass
from typing import Literal

from markscheme.grading.rubric import Importance

PointStatus = Literal["covered", "partial", "missing", "contradicted", "not_assessed"]
Verdict = Literal["correct", "partial", "incorrect", "contradictory", "not_assessed"]
DecidedBy = Literal["similarity", "verifier", "model"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage of the raw answer, as it was sent: text == answer[start:end]."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class PointGrade:
    """The decision on one point.

    `coverage` is the calibrated probability, 0 to 1, that the answer makes it. `credit`, 0 to 1, is the share of its
    weight that it earns: the score is 100 times the sum of weight times credit over the sum of weights.
    """

    id: str
    text: str
    importance: Importance
    weight: float
    status: PointStatus
    coverage: float
    credit: float
    decided_by: DecidedBy
    evidence: tuple[Evidence, ...] = ()
    contradicts: str | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a reader should know of the answer. A flag alone never earns or costs credit."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class GraderVersions:
    """Everything that decided, so that a grade can be explained later."""

    markscheme: str
    embedder: str
    calibration: str
    splitter: str


@dataclass(frozen=True, slots=True)
class Grade:
    """One answer, graded. `score` runs from 0 to 100; `points` keep the rubric's order."""

    question_id: str
    rubric_version: str
    score: float
    verdict: Verdict
    vital_coverage: float
    points: tuple[PointGrade, ...]
    missing: tuple[str, ...]
    contradicted: tuple[str, ...]
    flags: tuple[Flag, ...]
    needs_review: bool
    review_reasons: tuple[str, ...]
    feedback: str
    grader: GraderVersions
    id: str | None = None
