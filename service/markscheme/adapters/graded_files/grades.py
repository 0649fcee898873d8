"""Grades that were given before: the output of `markscheme batch`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from markscheme.adapters.graded_files.lines import NumberedLines, ReadJson
from markscheme.agreement.confidence import confidence_of
from markscheme.agreement.judged import OurGrade, OurPoint, Span
from markscheme.grading.errors import InputError, MarkschemeError
from markscheme.grading.grade import PointStatus, Verdict
from markscheme.pipeline.given_grades import GivenGrade, Quote

_STATUSES: tuple[PointStatus, ...] = get_args(PointStatus)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class GivenGrades:
    """What a file holds, by the id of the answer: grades, and where and why there is an error in place of one."""

    grades: dict[str, GivenGrade] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def read_grades(lines: NumberedLines, name: str, read_json: ReadJson) -> GivenGrades:
    """The grades and errors of a file; an error line without an id is left out.

    Args:
        lines: Numbers from 1 and contents; None for a line that is too long to be read.
        name: What the file is called in errors.
        read_json: Reads one value, and raises an error of the project where it cannot.

    Raises:
        InputError: A line is no grade, has no id, or has the id of another.
    """
    found = GivenGrades()
    for number, content in lines:
        place = f"{name}:{number}"
        try:
            data = read_json(content or b"")
            if isinstance(data, dict) and data.get("error"):
                if isinstance(answer_id := data.get("id"), str):
                    found.errors.setdefault(answer_id, f"{place} is an error: {_reason(data['error'])}")
                continue
            answer_id, grade = _grade(data, place)
        except (MarkschemeError, KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"{place} is no grade of an answer with an id. Give a file that `markscheme batch` wrote."
            raise InputError(message) from error
        if answer_id in found.grades:
            message = f"{place} is a second grade of {answer_id!r}. Give each answer an id of its own."
            raise InputError(message)
        found.grades[answer_id] = grade
    return found


def _reason(error: object) -> str:
    told = error.get("message") if isinstance(error, dict) else error
    text = " ".join(told.split()) if isinstance(told, str) else "it does not say why."
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def _grade(data: object, place: str) -> tuple[str, GivenGrade]:
    row = _object(data)
    rows = [_object(point) for point in _list(row["points"])]
    points = tuple(_point(point) for point in rows)
    weights = [_number(point.get("weight", 1.0), 0, float("inf")) for point in rows]
    confidence = row.get("confidence")
    grade = OurGrade(
        score=_number(row["score"], 0, 100),
        verdict=_VERDICTS[_VERDICTS.index(row["verdict"])],
        points=points,
        confidence=_mean(points, weights) if confidence is None else _number(confidence, 0, 1),
    )
    told = row.get("grader")
    versions = told if isinstance(told, dict) else {}
    return _text(row["id"]), GivenGrade(
        place=place,
        grade=grade,
        point_ids=tuple(_text_or_none(point.get("id")) for point in rows),
        quotes=tuple(quote for point in rows for quote in _quotes(point)),
        question_id=_text_or_none(row.get("question_id")),
        rubric_version=_text_or_none(row.get("rubric_version")),
        markscheme=_text_or_none(versions.get("markscheme")),
        splitter=_text_or_none(versions.get("splitter")),
    )


def _point(row: Mapping[str, object]) -> OurPoint:
    status = _STATUSES[_STATUSES.index(row["status"])]
    coverage = _number(row["coverage"], 0, 1)
    told = row.get("confidence")
    return OurPoint(
        text=_text(row["text"]) if "text" in row else "",
        status=status,
        coverage=coverage,
        confidence=confidence_of(status, coverage, None if told is None else _number(told, 0, 1)),
        evidence=tuple((quote.start, quote.end) for quote in _quotes(row)),
    )


def _mean(points: tuple[OurPoint, ...], weights: list[float]) -> float:
    total = sum(weights)
    return sum(weight * point.confidence for point, weight in zip(points, weights, strict=True)) / (total or 1.0)


def _quotes(point: Mapping[str, object]) -> list[Quote]:
    rows = [_object(one) for one in _list(point.get("evidence", []))]
    return [Quote(*_span(row), _text_or_none(row.get("text"))) for row in rows]


def _span(row: Mapping[str, object]) -> Span:
    start, end = row["start"], row["end"]
    if isinstance(start, int) and isinstance(end, int):
        return start, end
    raise TypeError


def _object(value: object) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise TypeError


def _list(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    raise TypeError


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object, low: float, high: float) -> float:
    if isinstance(value, int | float) and low <= value <= high:
        return float(value)
    raise TypeError
