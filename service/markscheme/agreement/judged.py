"""The two sides that are compared: an answer that people judged, and how it was graded."""

from dataclasses import dataclass

from markscheme.agreement.confidence import confidence_of
from markscheme.agreement.gold import Gold
from markscheme.grading.grade import Grade, PointStatus, Verdict

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer, what it is held against, and what people decided.

    `references` are the texts of the points, or the sample answers (`are_points` tells), and empty where only the
    index has them. `group` names the question: answers of one group are never taken for independent.
    """

    name: str
    answer: str
    references: tuple[str, ...]
    are_points: bool
    group: str
    gold: Gold
    question: str = ""


@dataclass(frozen=True, slots=True)
class OurPoint:
    """What was decided about one point. `coverage` and `confidence` run from 0 to 1; `evidence` is in characters."""

    text: str
    status: PointStatus
    coverage: float
    confidence: float
    evidence: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class OurGrade:
    """What is compared of a grade, whether it was just given or read from a file. `score` runs from 0 to 100."""

    score: float
    verdict: Verdict
    points: tuple[OurPoint, ...]
    confidence: float

    @classmethod
    def of(cls, grade: Grade) -> "OurGrade":
        """What is compared of a grade."""
        points = tuple(
            OurPoint(
                point.text,
                point.status,
                point.coverage,
                confidence_of(point.status, point.coverage, point.confidence),
                tuple((passage.start, passage.end) for passage in point.evidence),
            )
            for point in grade.points
        )
        return cls(grade.score, grade.verdict, points, grade.confidence)
