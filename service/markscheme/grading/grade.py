"""The grade: what is given back for one answer."""

from dataclasses import dataclass
from typing import Literal

from markscheme.grading.cuts import Cuts
from markscheme.grading.logistic import Effect
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
class Explanation:
    """Why a coverage is what it is: sigmoid(average + the sum of all effects).

    `statement` is the wording of the point that was found best, `passage` what the verifier read beside it, `supported`
    and `contradicted` its probabilities (None without a verifier). `cuts` are those that coverage was held against.
    """

    statement: str
    passage: str
    supported: float | None
    contradicted: float | None
    average: float
    effects: tuple[Effect, ...]
    cuts: Cuts


@dataclass(frozen=True, slots=True)
class PointGrade:
    """The decision on one point.

    `coverage` is the calibrated probability, 0 to 1, that the answer makes it. `credit`, 0 to 1, is the share of its
    weight that it earns: the score is 100 times the sum of weight times credit over the sum of weights. `confidence`
    is the probability that a person would not choose another side of "made or not made".
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
    confidence: float = 1.0
    explanation: Explanation | None = None


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
    verifier: str | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    """One answer, graded. `score` runs from 0 to 100; `points` keep the rubric's order.

    `confidence` is the mean of its points', by weight.
    """

    question_id: str
    rubric_version: str
    score: float
    verdict: Verdict
    vital_coverage: float
    points: tuple[PointGrade, ...]
    missing: tuple[str, ...]
    contradicted: tuple[str, ...]
    flags: tuple[Flag, ...]
    confidence: float
    needs_review: bool
    review_reasons: tuple[str, ...]
    feedback: str
    grader: GraderVersions
    id: str | None = None
