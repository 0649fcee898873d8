"""Running text cut into ideas of 4 to 40 words."""

import re
from bisect import bisect_left
from collections.abc import Callable

from markscheme.grading.outline_parentheses import Parentheses

Span = tuple[int, int]
Sentences = Callable[[str], list[Span]]
"""A text in, the spans of its sentences out, in characters."""

FEWEST_WORDS = 4
MOST_WORDS = 40
MOST_CHARACTERS = 600
"""No idea is longer, even where nothing invites a cut: a rubric takes no longer point, and a model no longer text."""

_WORD = re.compile(r"\S+")
_SEMICOLON = re.compile(r";\s+")
_LONG_BREAKS = (re.compile(r"\s*\u2014\s*|\s\u2013\s"), re.compile(r",\s+but\s+"))
_COMMA = re.compile(r",\s+")
_LEANING = frozenset("it its they their this that these those he she which".split())  # noqa: SIM905 - one list, read as prose


class Ideas:
    """Cuts one passage; every place is an offset into it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parentheses = Parentheses(text)
        words = (match for match in _WORD.finditer(text) if any(one.isalnum() for one in match.group()))
        self._words = [match.start() for match in words]

    def cut(self, sentences: Sentences) -> list[Span]:
        """Sentences, cut at semicolons, and where they are still too long at dashes, `but`, commas and white space.

        What is shorter than FEWEST_WORDS joins its neighbour.
        """
        ideas = [part for span in sentences(self._text) for part in self._split(span, _SEMICOLON)]
        ideas = self._joined(ideas)
        for separator in _LONG_BREAKS:
            ideas = [part for span in ideas for part in (self._split(span, separator) if self._long(span) else [span])]
        halved = [part for span in ideas for part in self._halved(span)]
        return [part for span in halved for part in self._forced(span)]

    def _count(self, start: int, end: int) -> int:
        return bisect_left(self._words, end) - bisect_left(self._words, start)

    def _long(self, span: Span) -> bool:
        return self._count(*span) > MOST_WORDS

    def _split(self, span: Span, separator: re.Pattern[str]) -> list[Span]:
        """Cut wherever both sides can stand on their own."""
        begin, end = span
        parts: list[Span] = []
        for match in separator.finditer(self._text, begin, end):
            enough = self._count(begin, match.start()) >= FEWEST_WORDS <= self._count(match.end(), end)
            if enough and not self._parentheses.hold(match.start()) and not self._leans(match.end()):
                parts.append((begin, match.start()))
                begin = match.end()
        return [*parts, (begin, end)]

    def _leans(self, start: int) -> bool:
        """Whether a part begins with a word that points back, so that it says nothing alone."""
        first = self._text[start : start + 8].split(maxsplit=1)
        return bool(first) and first[0].lower() in _LEANING

    def _joined(self, ideas: list[Span]) -> list[Span]:
        """Join a fragment to the idea before it, or after it where it comes first."""
        joined: list[Span] = []
        for start, end in ideas:
            short = self._count(start, end) < FEWEST_WORDS
            opening = len(joined) == 1 and self._count(*joined[0]) < FEWEST_WORDS
            if joined and (short or opening):
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined

    def _halved(self, span: Span) -> list[Span]:
        """Cut at the comma nearest to the middle while a part is too long."""
        done: list[Span] = []
        waiting = [span]
        while waiting:
            start, end = waiting.pop()
            cuts = self._commas(start, end) if self._long((start, end)) else []
            if cuts:
                middle = (start + end) // 2
                cut = min(cuts, key=lambda one: abs(one[0] - middle))
                waiting += [(cut[1], end), (start, cut[0])]
            else:
                done.append((start, end))
        return done

    def _commas(self, start: int, end: int) -> list[Span]:
        return [
            match.span()
            for match in _COMMA.finditer(self._text, start, end)
            if self._count(start, match.start()) >= FEWEST_WORDS <= self._count(match.end(), end)
            and not self._parentheses.hold(match.start())
        ]

    def _forced(self, span: Span) -> list[Span]:
        """Cut running words without punctuation every MOST_WORDS, and an endless word where it has to be."""
        start, end = span
        parts: list[Span] = []
        while self._count(start, end) > 2 * MOST_WORDS or end - start > MOST_CHARACTERS:
            following = bisect_left(self._words, start) + MOST_WORDS
            cut = self._words[following] if following < len(self._words) else end
            if cut - start > MOST_CHARACTERS:
                gap = self._text.rfind(" ", start + 1, start + MOST_CHARACTERS)
                cut = gap + 1 if gap > start else start + MOST_CHARACTERS
            parts.append((start, cut))
            start = cut
        return [*parts, (start, end)]
