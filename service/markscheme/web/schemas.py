"""What the API gives back besides grades."""

from typing import Self

from pydantic import BaseModel, ConfigDict

from markscheme.grading.rubric import Difficulty, Importance, Point, Rubric, Status
from markscheme.pipeline.ports import QuestionMatch


class _Reply(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class QuestionSummary(_Reply):
    """One question of the index; `points` is how many its rubric has."""

    id: str
    topic: str
    question: str
    difficulty: Difficulty | None
    points: int

    @classmethod
    def of(cls, rubric: Rubric) -> Self:
        """Sum up a rubric."""
        return cls(
            id=rubric.id,
            topic=rubric.topic,
            question=rubric.question,
            difficulty=rubric.difficulty,
            points=len(rubric.points),
        )


class QuestionList(_Reply):
    """Questions, ordered by id."""

    questions: list[QuestionSummary]


class PointDetail(_Reply):
    """One point of a rubric."""

    id: str
    text: str
    heading: str | None
    importance: Importance
    weight: float
    alternatives: list[str]
    misconceptions: list[str]

    @classmethod
    def of(cls, point: Point) -> Self:
        """Show a point."""
        return cls.model_validate(point)


class QuestionDetail(_Reply):
    """One question with its rubric."""

    id: str
    topic: str
    question: str
    difficulty: Difficulty | None
    status: Status
    rubric_version: str
    points: list[PointDetail]

    @classmethod
    def of(cls, rubric: Rubric) -> Self:
        """Show a rubric."""
        return cls(
            id=rubric.id,
            topic=rubric.topic,
            question=rubric.question,
            difficulty=rubric.difficulty,
            status=rubric.status,
            rubric_version=rubric.version,
            points=[PointDetail.of(point) for point in rubric.points],
        )


class Match(_Reply):
    """A question that the text is near to; `similarity` is a cosine."""

    question_id: str
    question: str
    topic: str
    similarity: float


class MatchList(_Reply):
    """Questions, nearest first."""

    matches: list[Match]

    @classmethod
    def of(cls, matches: list[QuestionMatch]) -> Self:
        """Show what was found."""
        return cls(matches=[Match.model_validate(match) for match in matches])


class Health(_Reply):
    """`status` is `ok`."""

    status: str


class Readiness(_Reply):
    """`questions` is how many the index holds."""

    status: str
    questions: int


class FieldFault(BaseModel):
    """One field at fault: its JSON pointer, where '' is the whole body, and what to do."""

    pointer: str
    code: str
    message: str


class Problem(BaseModel):
    """A problem as RFC 9457 has it. `code` is stable; `errors` names the fields, where fields are at fault."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldFault] = []
