"""Grades that were given before: the output of `markscheme batch`."""

from collections.abc import Mapping
from typing import get_args

from markscheme.adapters.graded_files.lines import NumberedLines, ReadJson
from markscheme.agreement.confidence import confidence_of
from markscheme.agreement.judged import OurGrade, OurPoint, Span
from markscheme.grading.errors import InputError, MarkschemeError
from markscheme.grading.grade import PointStatus, Verdict

_STATUSES: tuple[PointStatus, ...] = get_args(PointStatus)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def read_grades(lines: NumberedLines, name: str, read_json: ReadJson) -> dict[str, OurGrade]:
    """The grades of a file by the id of their answer; error lines are left out.

    Args:
        lines: Numbers from 1 and contents; None for a line that is too long to be read.
        name: What the file is called in errors.
        read_json: Reads one value, and raises an error of the project where it cannot.

    Raises:
        InputError: A line is no grade, has no id, or has the id of another.
    """
    grades: dict[str, OurGrade] = {}
    for number, content in lines:
        try:
            data = read_json(content or b"")
            if isinstance(data, dict) and data.get("error"):
                continue
            answer_id, grade = _grade(data)
        except (MarkschemeError, KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"{name}:{number} is no grade of an answer with an id. Give a file that `markscheme batch` wrote."
            raise InputError(message) from error
        if answer_id in grades:
            message = f"{name}:{number} is a second grade of {answer_id!r}. Give each answer an id of its own."
            raise InputError(message)
        grades[answer_id] = grade
    return grades


def _grade(data: object) -> tuple[str, OurGrade]:
    row = _object(data)
    points = tuple(_point(_object(point)) for point in _list(row["points"]))
    weights = [_number(_object(point).get("weight", 1.0), 0, float("inf")) for point in _list(row["points"])]
    confidence = row.get("confidence")
    return _text(row["id"]), OurGrade(
        score=_number(row["score"], 0, 100),
        verdict=_VERDICTS[_VERDICTS.index(row["verdict"])],
        points=points,
        confidence=_mean(points, weights) if confidence is None else _number(confidence, 0, 1),
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
        evidence=tuple(_span(_object(one)) for one in _list(row.get("evidence", []))),
    )


def _mean(points: tuple[OurPoint, ...], weights: list[float]) -> float:
    total = sum(weights)
    return sum(weight * point.confidence for point, weight in zip(points, weights, strict=True)) / (total or 1.0)


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


def _number(value: object, low: float, high: float) -> float:
    if isinstance(value, int | float) and low <= value <= high:
        return float(value)
    raise TypeError
