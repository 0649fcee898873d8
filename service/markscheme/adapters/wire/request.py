"""From what a caller sent to a request that can be graded."""

from dataclasses import dataclass

from pydantic import ValidationError

from markscheme.adapters.wire.body import MAX_ID_CHARS, GradeBody, MatchBody, PointBody
from markscheme.adapters.wire.faults import as_input_error
from markscheme.adapters.wire.strict_json import is_valid_text, read_json
from markscheme.grading.errors import AnswerTooLongError, EmptyRubricError, InputError
from markscheme.grading.profile_name import IN_WORDS, is_profile_name
from markscheme.grading.rubric import Point
from markscheme.pipeline.request import GradeRequest


@dataclass(frozen=True, slots=True)
class Limits:
    """What the settings allow. `max_answer_chars` counts the characters of one answer."""

    max_answer_chars: int = 20_000


_DEFAULT_LIMITS = Limits()
MOST_WORDINGS = 600
MOST_SAMPLE_CHARS = 60_000


def parse_line(line: bytes | str, limits: Limits = _DEFAULT_LIMITS) -> GradeRequest:
    """Read one line of a batch. Keys that the form does not know are ignored: people's files have more columns.

    Raises:
        InputError: With the pointer of the field, and the line's own id in `answer_id` where it could be read.
            MalformedJsonError, AnswerTooLongError and EmptyRubricError are the kinds told apart.
    """
    data = read_json(line)
    if isinstance(data, dict):
        data = {key: value for key, value in data.items() if key in GradeBody.model_fields}
    return request_from_data(data, limits)


def parse_body(raw: bytes, limits: Limits = _DEFAULT_LIMITS) -> GradeRequest:
    """Read the body of `POST /v1/grade`. An unknown key is an error: there it is a slip of the caller's program.

    Raises:
        InputError: As `parse_line`.
    """
    return request_from_data(read_json(raw), limits)


def parse_match(raw: bytes) -> MatchBody:
    """Read the body of `POST /v1/match`.

    Raises:
        InputError: With the pointer of the field.
    """
    data = read_json(raw)
    try:
        return MatchBody.model_validate(data)
    except ValidationError as error:
        raise as_input_error(error, data) from error


def check_profile(name: str) -> str:
    """A name of a profile that came by another way than a form.

    Raises:
        InputError: No profile can have this name.
    """
    if not is_profile_name(name):
        message = f"{name[:60]!r} is no name of a profile. Write {IN_WORDS}."
        raise InputError(message, pointer="/profile")
    return name


def request_from_data(data: object, limits: Limits = _DEFAULT_LIMITS) -> GradeRequest:
    """Check what JSON or a form gave.

    Raises:
        InputError: As `parse_line`.
    """
    try:
        body = GradeBody.model_validate(data)
    except ValidationError as error:
        raise as_input_error(error, data, _answer_id(data)) from error
    return request_from_body(body, limits)


def request_from_body(body: GradeBody, limits: Limits = _DEFAULT_LIMITS) -> GradeRequest:
    """The request that a well-formed body stands for.

    Raises:
        AnswerTooLongError: The answer is over the limit.
        EmptyRubricError: The list of points or of sample answers is empty.
        InputError: Two points share an id.
    """
    if len(body.answer) > limits.max_answer_chars:
        message = (
            f"The answer has {len(body.answer):,} characters; the limit is {limits.max_answer_chars:,}. "
            "Shorten it, or raise MARKSCHEME_MAX_ANSWER_CHARS."
        )
        raise AnswerTooLongError(message, pointer="/answer", answer_id=body.id)
    if body.points == [] or body.sample_answer == []:
        name = "points" if body.points == [] else "sample_answer"
        message = f"/{name} is an empty list. Give at least one, or leave the field out."
        raise EmptyRubricError(message, pointer=f"/{name}", answer_id=body.id)
    _refuse_too_much(body)
    return GradeRequest(
        answer=body.answer,
        question_id=body.question_id,
        points=None if body.points is None else _points(body.points, body.id),
        sample_answers=None if body.sample_answer is None else tuple(body.sample_answer),
        question=body.question,
        id=body.id,
        profile=body.profile,
        explain=body.explain,
    )


def _refuse_too_much(body: GradeBody) -> None:
    """Every list has a limit of its own; these bound what one request can cost with all of them full."""
    wordings = sum(1 + len(point.alternatives) + len(point.misconceptions) for point in body.points or [])
    if wordings > MOST_WORDINGS:
        message = (
            f"/points has {wordings:,} points, alternatives and misconceptions in all; the limit is {MOST_WORDINGS:,}. "
            "Leave some out, or build them into the index."
        )
        raise InputError(message, pointer="/points", answer_id=body.id)
    characters = sum(map(len, body.sample_answer or []))
    if characters > MOST_SAMPLE_CHARS:
        message = (
            f"/sample_answer has {characters:,} characters in all; the limit is {MOST_SAMPLE_CHARS:,}. "
            "Give fewer sample answers, or shorter ones."
        )
        raise InputError(message, pointer="/sample_answer", answer_id=body.id)


def _points(bodies: list[PointBody], answer_id: str | None) -> tuple[Point, ...]:
    points: list[Point] = []
    places: dict[str, int] = {}
    for position, body in enumerate(bodies):
        name = body.id or f"p{position + 1}"
        if name in places:
            message = f"Points {places[name] + 1} and {position + 1} are both called {name!r}. Give each its own id."
            raise InputError(message, pointer=f"/points/{position}/id", answer_id=answer_id)
        places[name] = position
        points.append(
            Point(
                id=name,
                text=body.text,
                heading=body.heading,
                importance=body.importance,
                weight=body.weight,
                alternatives=tuple(body.alternatives),
                misconceptions=tuple(body.misconceptions),
            )
        )
    return tuple(points)


def _answer_id(data: object) -> str | None:
    """The caller's id out of a body that is wrong elsewhere."""
    value = data.get("id") if isinstance(data, dict) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and len(value) <= MAX_ID_CHARS and is_valid_text(value) else None
