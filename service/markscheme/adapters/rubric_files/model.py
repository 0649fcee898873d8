"""What a rubric file may hold. The file model is apart from the domain's Rubric, which knows no YAML."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from markscheme.grading.rubric import Difficulty, Importance, Point, Rubric, Source, Status

SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
ID_PATTERN = rf"^{SLUG}/{SLUG}$"
MOST_POINTS = 200
LONGEST_TEXT = 1000
LONGEST_QUESTION = 5000
HEAVIEST = 100.0

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Title = Annotated[str, Field(min_length=1, max_length=200)]
Checksum = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)


class PointModel(_Strict):
    """One gradable idea."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$", max_length=40)] = Field(
        description="Unique in the rubric, and kept when the point is reworded."
    )
    text: Text = Field(description="One idea, a sentence or less, that a marker can judge once the heading is read.")
    heading: Title | None = Field(default=None, description="What the text is about, read before it.")
    importance: Importance = Field(default="vital", description="vital: a good answer makes it. okay: it may.")
    weight: Annotated[float, Field(gt=0, le=HEAVIEST, allow_inf_nan=False)] = Field(
        default=1.0, description="Its share of the score against the others."
    )
    alternatives: Annotated[list[Text], Field(max_length=20)] = Field(
        default_factory=list, description="Other wordings that count as the same idea."
    )
    misconceptions: Annotated[list[Text], Field(max_length=20)] = Field(
        default_factory=list, description="Statements that contradict the point."
    )
    span: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Where it stands in the sample answer: characters, end exclusive."
    )


class SourceModel(_Strict):
    """Where the rubric comes from."""

    document: Title | None = Field(default=None, description="The seed document.")
    derived_from: Literal["sample_answer", "prompt", "author", "model"] = "author"
    checksum: Checksum | None = Field(default=None, description="Of the sample answer that it was drafted from.")
    drafted: Checksum | None = Field(default=None, description="Of the points as drafted; tells of later edits.")


class RubricModel(_Strict):
    """The points that an answer to one question is marked by."""

    id: Annotated[str, Field(pattern=ID_PATTERN, max_length=200)] = Field(
        description="<topic>/<question>, as the file is named."
    )
    topic: Title
    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    difficulty: Difficulty | None = None
    status: Status = Field(default="draft", description="A reviewed rubric is never drafted anew.")
    source: SourceModel = Field(default_factory=SourceModel)
    points: Annotated[list[PointModel], Field(min_length=1, max_length=MOST_POINTS)]

    def to_rubric(self) -> Rubric:
        """The domain's view of the file."""
        points = tuple(
            Point(
                id=point.id,
                text=point.text,
                heading=point.heading,
                importance=point.importance,
                weight=float(point.weight),
                alternatives=tuple(point.alternatives),
                misconceptions=tuple(point.misconceptions),
                span=None if point.span is None else (point.span[0], point.span[1]),
            )
            for point in self.points
        )
        source = Source(**self.source.model_dump())
        return Rubric(self.id, self.question, points, self.topic, self.difficulty, self.status, source)
