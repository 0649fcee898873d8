"""Drafts points: a sample answer in, gradable ideas out, each with the span that it was taken from."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from markscheme.grading.draft_headings import heading_for, is_framing, is_okay_section, is_summary
from markscheme.grading.draft_merge import Similar, repeats
from markscheme.grading.draft_words import content_stems, word_count
from markscheme.grading.outline import OutlineItem, outline
from markscheme.grading.outline_parentheses import Parentheses
from markscheme.grading.rubric import Importance, Point

Sentences = Callable[[str], list[tuple[int, int]]]
"""A text in, the spans of its sentences out, in characters."""

FEWEST_WORDS = 4
MOST_WORDS = 40
RESTATED = 0.75
"""A point this share of whose content words stand in the question says little of its own."""

_FEWEST_POINTS = 4
_SEPARATORS = " \t\r\n;,:\u2014\u2013-→*_•"
_BREAKS = (re.compile(r";\s+"), re.compile(r"\s\u2014\s|\u2014|\s\u2013\s"), re.compile(r",\s+but\s+"))
_LEANING = frozenset("it its they their this that these those he she which".split())  # noqa: SIM905 - one list, read as prose


@dataclass(frozen=True, slots=True)
class _Passage:
    """One idea before it becomes a point."""

    start: int
    end: int
    path: tuple[str, ...]
    summary: bool


def draft_points(
    text: str,
    sentences: Sentences,
    question: str | None = None,
    similar: Similar | None = None,
) -> tuple[Point, ...]:
    """Points in the order of the text, ids p1, p2, ...; () for a text without a letter or figure.

    Args:
        text: the sample answer.
        sentences: splits running text.
        question: its wording; decides which sections are vital.
        similar: cosines of texts; merges points that say the same in other words.
    """
    passages = _passages(text, sentences)
    if not passages:
        return ()
    drafted = [_point(text, passage, question, alone=len(passages) < _FEWEST_POINTS) for passage in passages]
    repeated = repeats([one.statement for one in drafted], [one.summary for one in passages], similar)
    kept = [point for point, original in zip(drafted, repeated, strict=True) if original is None]
    return tuple(
        Point(f"p{number}", one.text, one.heading, one.importance, span=one.span)
        for number, one in enumerate(kept, start=1)
    )


def _passages(text: str, sentences: Sentences) -> list[_Passage]:
    items = outline(text)
    bodies = (
        [one for one in items if one.kind == "text"]
        or [one for one in items if one.kind == "heading"]
        or [one for one in items if one.kind == "code"]
    )
    found: list[_Passage] = []
    after_list = False
    for item in bodies:
        body = text[item.start : item.end]
        after_list = after_list or item.level > 0 or bool(item.headings)
        summary = is_summary(item.headings, body, after_list=after_list)
        spans = [(item.start, item.end)] if item.kind == "code" else _ideas(body, item, sentences)
        for start, end in spans:
            trimmed = _trimmed(text, start, end)
            if trimmed:
                found.append(_Passage(*trimmed, item.headings, summary))
    return found


def _ideas(body: str, item: OutlineItem, sentences: Sentences) -> list[tuple[int, int]]:
    ideas: list[tuple[int, int]] = []
    for start, end in sentences(body):
        ideas.extend(_parts(body, start, end, _BREAKS[0]))
    ideas = _without_fragments(body, ideas)
    for separator in _BREAKS[1:]:
        ideas = [
            part
            for start, end in ideas
            for part in (_parts(body, start, end, separator) if _is_long(body, start, end) else [(start, end)])
        ]
    return [(item.start + start, item.start + end) for start, end in ideas]


def _is_long(body: str, start: int, end: int) -> bool:
    return word_count(body[start:end]) > MOST_WORDS


def _parts(body: str, start: int, end: int, separator: re.Pattern[str]) -> list[tuple[int, int]]:
    """Split where both sides can stand on their own."""
    passage = body[start:end]
    parentheses = Parentheses(passage)
    parts: list[tuple[int, int]] = []
    begin = 0
    for match in separator.finditer(passage):
        rest = passage[match.end() :]
        if parentheses.hold(match.start()) or _leans(rest):
            continue
        if word_count(passage[begin : match.start()]) >= FEWEST_WORDS <= word_count(rest):
            parts.append((start + begin, start + match.start()))
            begin = match.end()
    parts.append((start + begin, end))
    return _without_fragments(body, parts)


def _leans(rest: str) -> bool:
    """Whether a part begins with a word that points back, so that it says nothing alone."""
    first = rest.lstrip()[:8].split(maxsplit=1)
    return bool(first) and first[0].lower() in _LEANING


def _without_fragments(body: str, ideas: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what is shorter than FEWEST_WORDS to the idea before it, or after it where it comes first."""
    joined: list[tuple[int, int]] = []
    for start, end in ideas:
        short = word_count(body[start:end]) < FEWEST_WORDS
        opening = len(joined) == 1 and word_count(body[slice(*joined[0])]) < FEWEST_WORDS
        if joined and (short or opening):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    passage = text[start:end]
    if not any(character.isalnum() for character in passage):
        return None
    end -= len(passage) - len(passage.rstrip(_SEPARATORS))
    start += len(passage) - len(passage.lstrip(_SEPARATORS))
    return start, end


def _point(text: str, passage: _Passage, question: str | None, *, alone: bool) -> Point:
    body = " ".join(text[passage.start : passage.end].split())
    heading = heading_for(passage.path)
    if heading is None and word_count(body) < FEWEST_WORDS and passage.path and not is_framing(passage.path[-1]):
        heading = passage.path[-1]
    return Point(
        id="",
        text=body,
        heading=heading,
        importance=_importance(passage, body, heading, None if alone else question),
        span=(passage.start, passage.end),
    )


def _importance(passage: _Passage, body: str, heading: str | None, question: str | None) -> Importance:
    if passage.summary or is_okay_section(passage.path, question):
        return "okay"
    stems = content_stems(f"{heading or ''} {body}")
    restated = question is not None and len(stems & content_stems(question)) >= RESTATED * len(stems)
    return "okay" if restated else "vital"
