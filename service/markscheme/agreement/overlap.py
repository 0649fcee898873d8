"""Plain word overlap: the yardstick that a grader must beat."""

import re

# One class of characters and nothing else, so the scan is linear.
_WORD = re.compile(r"[a-z0-9]+")


def word_overlap(reference: str, answer: str) -> float:
    """Share of the different words of `reference` that `answer` has too, 0 to 1; 0 for a reference without words."""
    wanted = _words(reference)
    return len(wanted & _words(answer)) / len(wanted) if wanted else 0.0


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
