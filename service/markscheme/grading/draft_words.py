"""Words as drafting compares them: stems of what carries meaning, with no library."""

# ruff: noqa: SIM905 - a list of words, read as prose

import re
import unicodedata

from markscheme.grading.words import Word, scan

_POSSESSIVE = re.compile(r"'s\b")
_COMPARING = frozenset(
    "more most before after above below over under up out off on all some any each both only".split()
)
_SHORTEST_STEM = 3
_ENDINGS = (
    "izations", "isations", "ization", "isation", "ations", "ation", "ments", "ment", "ingly", "ions", "ing", "ies",
    "ied", "ion", "ers", "ed", "es", "er", "ly", "al", "s", "e", "y",
)  # fmt: skip


def word_count(text: str) -> int:
    """Words between white space that hold a letter or a figure."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def stem(word: str) -> str:
    """A word without its ending; rough, and the same for the forms of most words."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning, figures among them, negations not."""
    return frozenset(word.stem for word in _scanned(text) if not word.is_function and not word.is_negation)


def telling_stems(text: str) -> list[str]:
    """What tells two statements apart, in order: content, and small words that compare or place (`more`, `before`)."""
    return [
        word.stem
        for word in _scanned(text)
        if not word.is_negation and (not word.is_function or word.stem in _COMPARING)
    ]


def fixed_words(text: str) -> tuple[bool, frozenset[str]]:
    """What two texts must share to say the same: whether they deny something, and their figures."""
    found = _scanned(text)
    return any(word.is_negation for word in found), frozenset(word.stem for word in found if word.is_number)


def _scanned(text: str) -> tuple[Word, ...]:
    folded = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return scan(_POSSESSIVE.sub("", folded), stem)
