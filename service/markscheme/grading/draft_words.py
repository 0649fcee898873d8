"""Words as drafting compares them: stems of what carries meaning, with no library."""

import unicodedata

from markscheme.grading.words import Word, scan

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


def fixed_words(text: str) -> tuple[bool, frozenset[str]]:
    """What two texts must share to say the same: whether they deny something, and their figures."""
    found = _scanned(text)
    return any(word.is_negation for word in found), frozenset(word.stem for word in found if word.is_number)


def _scanned(text: str) -> tuple[Word, ...]:
    return scan(unicodedata.normalize("NFKC", text).replace("’", "'"), stem)  # noqa: RUF001 - a curly apostrophe
