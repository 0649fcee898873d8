"""A rubric and its statements as one line of JSON, and back."""

import json
from dataclasses import asdict

from markscheme.grading.rubric import Point, Rubric, Source
from markscheme.pipeline.ports import Statement


def to_line(rubric: Rubric, statements: tuple[Statement, ...]) -> str:
    """One line, without its end."""
    record = {"rubric": asdict(rubric), "statements": [asdict(statement) for statement in statements]}
    return json.dumps(record, ensure_ascii=False, sort_keys=True)


def from_line(line: str) -> tuple[Rubric, tuple[Statement, ...]]:
    """What `to_line` was given. Raises ValueError, KeyError or TypeError for a line that it did not write."""
    record = json.loads(line)
    rubric = record["rubric"]
    rubric["points"] = tuple(_point(point) for point in rubric["points"])
    rubric["source"] = Source(**rubric["source"])
    return Rubric(**rubric), tuple(Statement(**statement) for statement in record["statements"])


def _point(record: dict[str, object]) -> Point:
    lists = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
    return Point(**(record | lists))  # type: ignore[arg-type]  # the line was written from a Point
