"""An answer is searched in segments: sentences where it has them, overlapping windows where it has not."""

from collections.abc import Callable, Iterable
from itertools import pairwise

Span = tuple[int, int]

MAX_WORDS = 48
WINDOW_WORDS = 32
STEP_WORDS = 16
MAX_CHARS = 800

VERSION = "segments-1"


def segments(text: str, passages: Iterable[Span], sentences: Callable[[str], list[Span]]) -> list[Span]:
    """Spans of `text` to embed, in order; together they hold every letter and digit of every passage.

    `passages` are the lines and list items of the text; `sentences` finds sentences inside one of them. A sentence of
    more than 48 words (a transcript without full stops) becomes windows of 32 words, each 16 further on: whatever is
    said in up to 16 words running stands whole in one window.
    """
    found: list[Span] = []
    for start, end in passages:
        for first, last in sentences(text[start:end]):
            found += windows(text, (start + first, start + last))
    return [span for span in found if any(char.isalnum() for char in text[span[0] : span[1]])]


def windows(text: str, span: Span) -> list[Span]:
    """The span itself where it is short enough, else overlapping windows over its words."""
    words = _words(text, span)
    if not words or (len(words) <= MAX_WORDS and span[1] - span[0] <= MAX_CHARS):
        return [span]
    starts = range(0, max(1, len(words) - WINDOW_WORDS + STEP_WORDS), STEP_WORDS)
    chosen = [words[at : at + WINDOW_WORDS] for at in starts]
    return [piece for run in chosen for piece in halves(text, (run[0][0], run[-1][1]))]


def halves(text: str, span: Span) -> list[Span]:
    """Cut a span of over 800 characters in two until none is; at white space where there is any near the middle."""
    start, end = span
    if end - start <= MAX_CHARS:
        return [span]
    middle = (start + end) // 2
    gap = text.rfind(" ", start + 1, middle)
    cut = gap if gap > start + (end - start) // 4 else middle
    return [*halves(text, (start, cut)), *halves(text, (cut, end))]


def _words(text: str, span: Span) -> list[Span]:
    start, end = span
    edges = [start - 1, *(i for i in range(start, end) if text[i].isspace()), end]
    return [(left + 1, right) for left, right in pairwise(edges) if right > left + 1]
