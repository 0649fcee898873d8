"""The answer as it is matched, and the way back to the answer as it was sent.

Matching wants one spelling of a word; evidence must quote what the candidate wrote. `normalise` folds compatibility
forms (Unicode NFKC), drops invisible characters and turns look-alike letters of other scripts inside Latin words into
Latin ones. Every character of the result remembers the raw characters that it came from.
"""

import unicodedata
from dataclasses import dataclass

Span = tuple[int, int]

# Letters of other scripts that are drawn like Latin ones. Folded only inside a word that has Latin letters too, so
# that Russian prose and Greek formula letters stay what they are.
_LOOK_ALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝкмтвнАВЕКМНОРСТХУІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdqwkmtbhABEKMHOPCTXYIJSoABEZHIKMNOPTYX",
        strict=True,
    )
)
_QUOTES = {"‘": "'", "’": "'", "“": '"', "”": '"', "´": "'"}  # noqa: RUF001 - likewise
_FOLDED_MARKS = str.maketrans(_QUOTES | {"‐": "-", "‑": "-", "−": "-"})  # noqa: RUF001 - only marks inside words; dashes separate
_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0")
# Putting the marks of one letter in order takes quadratic time; no language sets more than a few.
_LONGEST_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class NormalText:
    """`text` is what is matched; `starts[i]` and `ends[i]` bound the raw characters behind its character i."""

    raw: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    invisible: int
    look_alikes: int

    def raw_span(self, start: int, end: int) -> Span:
        """The raw characters behind text[start:end]; an empty span stays empty."""
        if start >= end:
            place = self.starts[start] if start < len(self.starts) else len(self.raw)
            return place, place
        return self.starts[start], self.ends[end - 1]


def is_invisible(char: str) -> bool:
    """Whether a character takes no room when it is drawn: zero-width, bidi control, tag, filler."""
    return char in _INVISIBLE or unicodedata.category(char) == "Cf"


def normalise(raw: str) -> NormalText:
    """Fold a text for matching, in one pass over its characters."""
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    invisible = 0
    for start, end in _clusters(raw):
        visible = "".join(char for char in raw[start:end] if not is_invisible(char))
        invisible += end - start - len(visible)
        # Before, because NFKC takes the accent apart that people type for an apostrophe; after, for what it makes.
        folded = unicodedata.normalize("NFKC", visible.translate(_FOLDED_MARKS)).translate(_FOLDED_MARKS)
        chars += folded
        starts += [start] * len(folded)
        ends += [end] * len(folded)
    look_alikes = _fold_look_alikes(chars)
    return NormalText(raw, "".join(chars), tuple(starts), tuple(ends), invisible, look_alikes)


def _clusters(raw: str) -> list[Span]:
    """A character with what follows it and may join it."""
    spans: list[Span] = []
    start = 0
    for place, char in enumerate(raw):
        if place and (place - start == _LONGEST_CLUSTER or not _joins(char)):
            spans.append((start, place))
            start = place
    return [*spans, (start, len(raw))] if raw else []


def _joins(char: str) -> bool:
    """Whether a character is not drawn, or NFKC may make it one with the character before: a mark, a Hangul vowel."""
    if char < "\u0300":
        return is_invisible(char)
    first = unicodedata.normalize("NFKC", char)[0]
    return is_invisible(char) or unicodedata.category(first).startswith("M") or "\u1161" <= first <= "\u11ff"


def _fold_look_alikes(chars: list[str]) -> int:
    folded = start = 0
    for end in range(len(chars) + 1):
        if end < len(chars) and chars[end].isalpha():
            continue
        word = chars[start:end]
        if any(char.isascii() for char in word):
            for i, char in enumerate(word, start):
                if char in _LOOK_ALIKES:
                    chars[i] = _LOOK_ALIKES[char]
                    folded += 1
        start = end + 1
    return folded
