"""A grade as a person reads it: numbered points in groups, and the answer with its evidence marked."""

import math
from dataclasses import dataclass

from markscheme.grading.grade import Grade, PointGrade, PointStatus, Verdict
from markscheme.grading.why import Why, confidence_in_words, why
from markscheme.web.highlight import Passage, Piece, pieces

VERDICTS: dict[Verdict, str] = {
    "correct": "Correct",
    "partial": "Partial",
    "incorrect": "Incorrect",
    "contradictory": "Contradictory",
    "not_assessed": "Not assessed",
}

# In the order of the page.
STATUSES: dict[PointStatus, str] = {
    "covered": "Covered",
    "partial": "Partial",
    "missing": "Missing",
    "contradicted": "Contradicted",
    "not_assessed": "Not assessed",
}


@dataclass(frozen=True, slots=True)
class NumberedPoint:
    """A point with its number in the rubric, from 1, its coverage in whole per cent, and in words how sure that is."""

    number: int
    grade: PointGrade
    percent: int
    confidence: str
    why: Why | None


@dataclass(frozen=True, slots=True)
class Group:
    """The points of one status, in the rubric's order."""

    status: PointStatus
    name: str
    points: tuple[NumberedPoint, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that the page shows of a grade. `score` runs from 0 to 100, `vital_percent` in whole numbers."""

    grade: Grade
    question: str
    score: float
    vital_percent: int
    verdict: str
    confidence: str
    groups: tuple[Group, ...]
    answer: tuple[Piece, ...]


def result_of(grade: Grade, answer: str, question: str) -> Result:
    """Prepare a grade of `answer` for the page; `question` is its wording, or empty where it is not known."""
    numbered = [
        NumberedPoint(number, point, _whole(100 * point.coverage), confidence_in_words(point.confidence), why(point))
        for number, point in enumerate(grade.points, start=1)
    ]
    passages = [
        Passage(evidence.start, evidence.end, point.number, point.grade.status)
        for point in numbered
        for evidence in point.grade.evidence
    ]
    groups = (
        Group(status, name, tuple(point for point in numbered if point.grade.status == status))
        for status, name in STATUSES.items()
    )
    return Result(
        grade=grade,
        question=question,
        # With the decimal that the verdict goes by: a whole 80 beside "Partial" would look wrong.
        score=grade.score,
        vital_percent=_whole(100 * grade.vital_coverage),
        verdict=VERDICTS[grade.verdict],
        confidence=confidence_in_words(grade.confidence),
        groups=tuple(group for group in groups if group.points),
        answer=tuple(pieces(answer, passages)),
    )


def _whole(value: float) -> int:
    # Halves go up, as people expect; Python's own round sends 62.5 to 62 and 63.5 to 64.
    return math.floor(value + 0.5)
