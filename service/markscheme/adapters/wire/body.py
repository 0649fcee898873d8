"""The forms of a request: the body of `POST /v1/grade`, which is also a line of a batch, and of `POST /v1/match`."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from markscheme.adapters.wire.strict_json import is_valid_text
from markscheme.grading.profile_name import IN_WORDS, PROFILE_NAME, is_profile_name

MAX_POINTS = 200
MAX_SAMPLE_ANSWERS = 20
MAX_WORDINGS = 20
MAX_TEXT_CHARS = 20_000
MAX_ID_CHARS = 200
MAX_WEIGHT = 1_000
MAX_MATCH_CHARS = 2_000
MAX_MATCHES = 50

WAYS_TO_MARK = ("question_id", "points", "sample_answer")


def _text_or_number(value: object) -> object:
    # Tables number their rows; a grade gives the number back as text.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _as_point(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _readable(text: str) -> str:
    if "\0" in text:
        kind = "nul_character"
        raise PydanticCustomError(kind, "holds a NUL character, which no text needs. Remove it.")
    if not is_valid_text(text):
        kind = "lone_surrogate"
        raise PydanticCustomError(kind, "holds half of a surrogate pair, which is no character. Remove it.")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        kind = "blank"
        raise PydanticCustomError(kind, "is blank. Write something, or leave the field out.")
    return text


def _name_of_profile(text: str) -> str:
    if not is_profile_name(text):
        kind = "profile_name"
        raise PydanticCustomError(kind, "is no name of a profile. Write {words}.", {"words": IN_WORDS})
    return text


Text = Annotated[str, AfterValidator(_readable)]
FilledText = Annotated[str, Field(max_length=MAX_TEXT_CHARS), AfterValidator(_readable), AfterValidator(_not_blank)]
Identifier = Annotated[str, Field(max_length=MAX_ID_CHARS), AfterValidator(_readable), AfterValidator(_not_blank)]
MatchText = Annotated[str, Field(max_length=MAX_MATCH_CHARS), AfterValidator(_readable), AfterValidator(_not_blank)]
Profile = Annotated[str, AfterValidator(_name_of_profile), Field(json_schema_extra={"pattern": PROFILE_NAME})]
Wordings = Annotated[list[FilledText], Field(max_length=MAX_WORDINGS)]


class _Form(BaseModel):
    """What both forms share: no conversion of types, no unknown keys, and null counts as absent."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: object) -> object:
        # Programs that write tables give every column, empty ones as null.
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data


class PointBody(_Form):
    """One point of a rubric that comes with the request."""

    text: FilledText = Field(description="The idea, a sentence or less.")
    id: Identifier | None = Field(None, description="Your name for the point; p1, p2 and so on where it has none.")
    heading: FilledText | None = Field(None, description="What the point is about, read before its text.")
    importance: Literal["vital", "okay"] = Field("vital", description="Whether an answer fails without it.")
    weight: float = Field(1.0, gt=0, le=MAX_WEIGHT, description="Its share of the score against the other points.")
    alternatives: Wordings = Field([], description="Other wordings that count as the same idea.")
    misconceptions: Wordings = Field([], description="Statements that contradict the point.")


class GradeBody(_Form):
    """One answer, and exactly one of `question_id`, `points` and `sample_answer` to mark it by."""

    answer: Text = Field(description="The answer, as it was written. An empty one is graded, with a score of 0.")
    question_id: Identifier | None = Field(None, description="A question of `GET /v1/questions`.")
    points: (
        Annotated[
            list[Annotated[PointBody, BeforeValidator(_as_point, json_schema_input_type=str | PointBody)]],
            Field(max_length=MAX_POINTS),
        ]
        | None
    ) = Field(None, description="A rubric of your own: each point as text, or with its details.")
    sample_answer: (
        Annotated[
            list[FilledText],
            Field(max_length=MAX_SAMPLE_ANSWERS),
            BeforeValidator(_as_list, json_schema_input_type=str | list[str]),
        ]
        | None
    ) = Field(None, description="A complete accepted answer, or several: the one that fits best counts.")
    id: Annotated[Identifier, BeforeValidator(_text_or_number, json_schema_input_type=str | int)] | None = Field(
        None, description="Your name for this answer, given back with the grade as text."
    )
    question: FilledText | None = Field(None, description="The wording of the question, where you have it.")
    profile: Profile | None = Field(None, description="A calibration fitted to somebody's marking, by its name.")
    explain: bool = Field(default=False, description="Whether every point of the grade comes with its explanation.")

    @model_validator(mode="after")
    def _one_way_to_mark(self) -> Self:
        given = [name for name in WAYS_TO_MARK if getattr(self, name) is not None]
        if len(given) != 1:
            kind, message = "one_way_to_mark", "Give exactly one of {ways}; this has {given}."
            context = {"ways": "question_id, points and sample_answer", "given": " and ".join(given) or "none of them"}
            raise PydanticCustomError(kind, message, context)
        return self


class MatchBody(_Form):
    """A text, to find the questions that it is about."""

    text: MatchText = Field(description="A question, or part of one.")
    limit: int = Field(5, ge=1, le=MAX_MATCHES, description="How many questions to give at most.")
