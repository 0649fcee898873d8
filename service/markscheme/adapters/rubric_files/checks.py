"""Rules between the fields of a rubric file; they hold for files that break other rules too."""

from collections.abc import Iterator
from typing import Any

from markscheme.grading.text import normalise

Location = tuple[str | int, ...]
Found = tuple[Location, str]


def cross_checks(data: object, expected_id: str) -> Iterator[Found]:
    """What is wrong between fields, each with the place of the field that has to change.

    Args:
        data: the file as it was parsed, of any shape.
        expected_id: the id that its path calls for.
    """
    if not isinstance(data, dict):
        return
    own = data.get("id")
    if isinstance(own, str) and own.strip() != expected_id:
        yield ("id",), f"is '{own}', but the file's place calls for '{expected_id}': change the id, or move the file"
    for field in ("topic", "question"):
        yield from _nul_checks((field,), data.get(field))
    points = data.get("points")
    seen: dict[str, int] = {}
    for index, point in enumerate(points if isinstance(points, list) else []):
        if isinstance(point, dict):
            yield from _point_checks(index, point, seen)


def _point_checks(index: int, point: dict[Any, Any], seen: dict[str, int]) -> Iterator[Found]:
    own = point.get("id")
    if isinstance(own, str):
        if own in seen:
            yield ("points", index, "id"), f"'{own}' is point {seen[own] + 1}'s id too: give each point its own"
        seen.setdefault(own, index)
    yield from _text_checks(("points", index), point)
    said = {_folded(point.get("text")): "the text"}
    for number, wording in enumerate(_strings(point.get("alternatives"))):
        folded = _folded(wording)
        if folded in said:
            yield ("points", index, "alternatives", number), f"repeats {said[folded]}: drop it or word it differently"
        said.setdefault(folded, f"alternative {number + 1}")
    for number, wording in enumerate(_strings(point.get("misconceptions"))):
        if _folded(wording) in said:
            place = said[_folded(wording)]
            yield ("points", index, "misconceptions", number), f"is the same as {place}: it must contradict the point"
    span = point.get("span")
    if isinstance(span, list) and len(span) == len(("start", "end")) and all(type(one) is int for one in span):
        start, end = span
        if start >= end:
            yield ("points", index, "span"), f"ends at {end}, not behind its start {start}"


def _text_checks(place: Location, point: dict[Any, Any]) -> Iterator[Found]:
    yield from _nul_checks((*place, "heading"), point.get("heading"))
    yield from _wording_checks((*place, "text"), point.get("text"))
    for field in ("alternatives", "misconceptions"):
        for number, wording in enumerate(_strings(point.get(field))):
            yield from _wording_checks((*place, field, number), wording)


def _nul_checks(place: Location, text: object) -> Iterator[Found]:
    if isinstance(text, str) and "\0" in text:
        yield place, "holds a NUL character: remove it"


def _wording_checks(place: Location, text: object) -> Iterator[Found]:
    """What cannot be matched with any answer; that a text is empty is told by its length."""
    yield from _nul_checks(place, text)
    if isinstance(text, str) and text.strip() and not any(char.isalnum() for char in normalise(text).text):
        yield place, "has no letter or figure to be graded by: write the idea out, or remove it"


def _strings(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _folded(value: object) -> object:
    return " ".join(value.split()).casefold() if isinstance(value, str) else id(value)
