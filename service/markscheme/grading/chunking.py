"""Drafts points: a sample answer in, gradable ideas out, each with the span that it was taken from."""

from dataclasses import dataclass

from markscheme.grading.draft_headings import heading_for, is_framing, is_okay_section, is_summary
from markscheme.grading.draft_ideas import FEWEST_WORDS, Ideas, Sentences
from markscheme.grading.draft_merge import Similar, repeats
from markscheme.grading.draft_words import content_stems, word_count
from markscheme.grading.outline import outline
from markscheme.grading.rubric import Importance, Point

RESTATED = 0.75
"""A point this share of whose content words stand in the question says little of its own."""

_FEWEST_POINTS = 4
_JOINING = ("and ", "but ")
_SEPARATORS = " \t\r\n;,:\u2014\u2013-→*_•"


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
    """The ideas of the text under its headings; of the headings themselves, or of code, where there is nothing else."""
    items = outline(text)
    for kind in ("text", "heading", "code"):
        found: list[_Passage] = []
        after_list = False
        for item in (one for one in items if one.kind == kind):
            body = text[item.start : item.end]
            after_list = after_list or item.level > 0 or bool(item.headings)
            summary = is_summary(item.headings, body, after_list=after_list)
            for start, end in Ideas(body).cut(_whole if kind == "code" else sentences):
                trimmed = _trimmed(text, item.start + start, item.start + end)
                if trimmed:
                    found.append(_Passage(*trimmed, item.headings, summary))
        if found:
            return found
    return []


def _whole(text: str) -> list[tuple[int, int]]:
    """Code has no sentences."""
    return [(0, len(text))]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Without separators around it, nor the word that joined it to what stood before."""
    passage = text[start:end].rstrip(_SEPARATORS)
    body = passage.lstrip(_SEPARATORS)
    for word in _JOINING:
        body = body.removeprefix(word).lstrip(_SEPARATORS)
    if not any(character.isalnum() for character in body):
        return None
    return start + len(passage) - len(body), start + len(passage)


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
