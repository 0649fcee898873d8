"""Headings that share a line with what they head: `Label: text`, and lead-ins that end in a colon."""

# ruff: noqa: SIM905 - lists of words, read as prose

import re

LONGEST_LABEL = 80
"""Characters within which a label's colon must stand."""

LABEL_WORDS = 10
LEAD_WORDS = 24
TITLE_WORDS = 12

_CONDITIONS = frozenset("if when for while because since after before unless although as".split())
_QUESTIONS = frozenset({"why", "how", "what"})
_CLAIMS = frozenset(
    "is are was were has have had can cannot can't could will would may might should must does do did isn't aren't "
    "means depends relies requires uses needs gives makes keeps reduces increases allows provides helps works".split()
)
_DECORATION = "*_#` \t\r\n"
_STOP = re.compile(r"[.!?][”\")\]]?\s+(?=[A-Z0-9“\"(])")


def label_end(text: str, start: int, end: int) -> int | None:
    """Where the text behind a label begins, or None where the passage does not begin with a label.

    A label is a name, not a claim: `If T is high: ...` and `Not all kernels have ...: ...` stay whole.
    """
    depth = 0
    for position in range(start, min(end, start + LONGEST_LABEL)):
        character = text[position]
        depth += (character in "([") - (character in ")]")
        if character in ".!?;" and text[position + 1 : position + 2].isspace() and depth <= 0:
            return None
        if character == ":" and depth <= 0:
            body = _body_start(text, position + 1, end)
            return body if body is not None and _is_name(text[start:position]) else None
    return None


def _body_start(text: str, position: int, end: int) -> int | None:
    """Behind the colon: white space, closing decoration or a letter; never `10:30`, `a::b` or `http://`."""
    start = position
    while position < end and (text[position] in "*_:" or text[position].isspace()):
        position += 1
    if position >= end:
        return None
    spaced = any(character.isspace() for character in text[start:position])
    doubled = ":" in text[start:position]
    return position if spaced or (text[position].isalpha() and not doubled) else None


def _is_name(label: str) -> bool:
    words = plain(label).split()
    if not 0 < len(words) <= LABEL_WORDS or not any(character.isalpha() for character in label):
        return False
    small = [word.strip("(),\"'\u201c\u201d\u2018\u2019").lower() for word in words]
    if small[0] in _QUESTIONS:
        return True
    return small[0] not in _CONDITIONS and not _CLAIMS.intersection(small)


def lead_start(text: str, start: int, end: int) -> int | None:
    """Where the last sentence begins, if it is a lead-in short enough for a heading (`Three ways help:`), or None."""
    if text[start:end].rstrip("*_ ")[-1:] != ":":
        return None
    found = start
    for match in _STOP.finditer(text, start, end):
        found = match.end()
    return found if len(text[found:end].split()) <= LEAD_WORDS else None


def is_title(text: str, start: int, end: int) -> bool:
    """Whether a passage without a colon could stand over a list: short, no sentence, no formula."""
    passage = text[start:end]
    short = sum(any(character.isalnum() for character in word) for word in passage.split()) <= TITLE_WORDS
    return short and passage[-1] not in ".!?;," and "=" not in passage and not _STOP.search(passage + " ")


def is_bold_title(text: str, start: int, end: int) -> bool:
    """Whether the whole line is set in bold: Markdown's other way to write a heading."""
    passage = text[start:end]
    inner = passage[2:-2]
    return len(passage) > len("****") and passage[:2] == passage[-2:] == "**" and "**" not in inner


def plain(heading: str) -> str:
    """A heading as it is read: no decoration, no closing colon, single spaces."""
    stripped = heading.strip(_DECORATION + ":").replace("**", "").replace("`", "")
    return " ".join(stripped.split()).rstrip(" :")
