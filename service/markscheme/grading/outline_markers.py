"""List markers: those that begin a line, and those that scraped text left inside one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markscheme.grading.outline_parentheses import Parentheses

_BULLETS = "•●○◦▪▫‣∙■□➢➤✓"
_DASHES = "-\u2013\u2014*+"
_STOPS = ".:;!?"
_CLOSERS = ")]\"'\u201d\u2019"
_LABEL_WINDOW = 60
_LABEL_WORDS = 5

# Every repetition is bounded and every branch begins differently: one pass, no way back.
_NUMBER = re.compile(r"\(?(\d{1,3})(?:\)(?!\d)|\.(?=\s|[A-Z\"\u201c\u2018'(*]|[^\W\d_]{2}|[^\W\d_]\)))")
_LETTER = re.compile(r"\(?(?:[a-hA-H]|[ivx]{1,4})\)(?=\s|\w)")
_INSIDE = re.compile(
    rf"[{_BULLETS}\-*]"
    r"|(?:(?<![\w.,])|(?<=[.!?:;]))\d{1,2}[.)](?![\d.])"
    r"|(?<=[.!?)])[A-Z]"
)
_ABBREVIATIONS = ("e.g.", "i.e.", "vs.", "cf.", "approx.", "etc.")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker from `start` to `end`; the text that it marks begins at `end` or after white space.

    `kind` is `bullet`, `number`, `letter` or `heading` where it begins a line; inside a line `glued` (a dash that
    touches the word before it), `spaced` (a dash after a space), `bullet`, `number`, or `break`: a label that
    begins right behind a full stop, and that a line break once stood before. A break is empty: start == end.
    """

    start: int
    end: int
    kind: str
    value: int = 0


def line_marker(text: str, start: int, end: int) -> Marker | None:
    """The marker at the beginning of a line, two of them read as one (`4.i)`), or None."""
    first = _line_marker(text, start, end)
    if first is None:
        return None
    inner_start = _skip_space(text, first.end, end)
    inner = _line_marker(text, inner_start, end)
    if inner is None or inner.end >= end:
        return first
    return Marker(start, inner.end, inner.kind, inner.value)


def _line_marker(text: str, start: int, end: int) -> Marker | None:
    character = text[start]
    following = text[start + 1 : start + 3]
    if character in _BULLETS:
        return Marker(start, start + 1, "bullet")
    if character in _DASHES:
        # "-Sequence number" is an item; "-5 degrees", "-x" and "*emphasis*" are not.
        glued = character in "-\u2013" and len(following) == len("ab") and following.isalpha()
        return Marker(start, start + 1, "bullet") if following[:1].isspace() or glued else None
    number = _NUMBER.match(text, start, end)
    if number and number.end() < end:
        return Marker(start, number.end(), "number", int(number.group(1)))
    letter = _LETTER.match(text, start, end)
    return Marker(start, letter.end(), "letter") if letter else None


def inside_markers(text: str, start: int, end: int, first: Marker | None) -> list[Marker]:
    """Markers that stand within one line, in order; `first` is the line's own."""
    body = text[start:end]
    parentheses = Parentheses(body)
    found: list[Marker] = []
    last = 0
    for match in _INSIDE.finditer(body):
        position = match.start()
        held = parentheses.hold(position)
        marker = None if held else _inside_marker(body, match.group(), position, last)
        if marker:
            found.append(marker)
            last = marker.end
    moved = [Marker(start + one.start, start + one.end, one.kind, one.value) for one in _supported(body, found)]
    return _in_sequence(text, moved, first)


def _inside_marker(body: str, sign: str, position: int, last: int) -> Marker | None:
    end = position + len(sign)
    before = _before(body, position)
    after = _skip_space(body, end, len(body))
    if before is None or after >= len(body):
        return None
    touches = not body[position - 1].isspace()
    if sign in _BULLETS:
        between_letters = body[position - 1].isalnum() and after == end
        return None if between_letters else Marker(position, end, "bullet")
    if sign in "-*":
        return _inside_dash(body, position, before, after) if after > end else None
    if sign[0].isdigit():
        stopped = body[before] in _STOPS + _CLOSERS + ","
        marks = (sign[-1] == ")" and (stopped or not touches)) or (stopped and body[before] != ",")
        decimal = touches and body[before] == "." and before > 0 and body[before - 1].isdigit()
        return Marker(position, end, "number", int(sign[:-1])) if marks and not decimal else None
    return Marker(position, position, "break") if _begins_label(body, position, last) else None


def _inside_dash(body: str, position: int, before: int, after: int) -> Marker | None:
    stopped = body[before] in _STOPS and not body[max(0, before - 6) : before + 1].endswith(_ABBREVIATIONS)
    upper = body[after].isupper()
    if position - before > 1:
        return Marker(position, position + 1, "spaced") if stopped else None
    if body[position] == "*":
        return None
    return Marker(position, position + 1, "glued") if stopped or upper else None


def _begins_label(body: str, position: int, last: int) -> bool:
    """Whether a label such as `Practical:` begins here, behind a sentence of four words or more."""
    sentence = body[max(last, position - _LABEL_WINDOW) : position]
    label, colon, rest = body[position : position + _LABEL_WINDOW].partition(":")
    if not colon or not rest[:1].isspace() or len(sentence.split()) < len("four"):
        return False
    return len(label.split()) <= _LABEL_WORDS and not any(character in ".;,!?(" for character in label)


def _supported(body: str, markers: list[Marker]) -> list[Marker]:
    """A lone ` - ` before a small letter or a figure is a minus sign or a dash, not a list."""
    spaced = sum(marker.kind == "spaced" for marker in markers)
    return [
        marker
        for marker in markers
        if marker.kind != "spaced" or spaced > 1 or body[_skip_space(body, marker.end, len(body))].isupper()
    ]


def _in_sequence(text: str, markers: Iterable[Marker], first: Marker | None) -> list[Marker]:
    """Numbers count only in a run 1, 2, ... of two or more; the line's own number may begin it."""
    markers = list(markers)
    numbers = [marker for marker in markers if marker.kind == "number"]
    if first is not None and first.kind == "number":
        numbers.insert(0, first)
    latest: dict[str, list[Marker]] = {}
    runs: list[list[Marker]] = []
    for index, marker in enumerate(numbers):
        sign = text[marker.end - 1]
        run = latest.get(sign)
        if run is not None and marker.value == run[-1].value + 1:
            run.append(marker)
        elif marker.value == 1 or (index == 0 and marker is first):
            latest[sign] = [marker]
            runs.append(latest[sign])
    accepted = {marker.start for run in runs if len(run) > 1 for marker in run}
    return [marker for marker in markers if marker.kind != "number" or marker.start in accepted]


def _before(body: str, position: int) -> int | None:
    """Where the last character that is not white space stands before `position`."""
    index = position - 1
    while index >= 0 and body[index].isspace():
        index -= 1
    return index if index >= 0 else None


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
