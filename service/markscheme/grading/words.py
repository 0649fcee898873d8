"""Words of a text: where they stand, their stems, and whether they carry meaning or turn it round."""

import re
from collections.abc import Callable
from dataclasses import dataclass

# Alternatives start with disjoint characters and nothing nests, so the scan is linear.
_WORD = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W_]+(?:'[^\W\d_]+)?")

_FUNCTION_WORDS = (
    "a an the of to in on at by for from with as into onto over and or but if then than that this these those it its "
    "they them their there he she his her we our us you your i my me is are was were be been being am do does did done "
    "doing have has had having will would can could may might shall should must also so such very more most some any "
    "each every both which who whom whose what when where why how because while during about between among through "
    "up out off again just only own same other too s t re ve ll d m"
)
_NEGATIONS = (
    "not no never neither nor none nothing without cannot can't don't doesn't didn't won't isn't aren't wasn't "
    "weren't shouldn't wouldn't couldn't hasn't haven't hardly fails fail failed lack lacks"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
NEGATIONS = frozenset(_NEGATIONS.split())


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its place in the text, its stem, and what kind it is."""

    start: int
    end: int
    stem: str
    is_function: bool
    is_negation: bool
    is_number: bool


def scan(text: str, stem: Callable[[str], str]) -> tuple[Word, ...]:
    """Every word of a text, in order, in linear time."""
    words = []
    for match in _WORD.finditer(text):
        lower = match.group().lower()
        words.append(
            Word(
                match.start(),
                match.end(),
                stem(lower),
                lower in FUNCTION_WORDS,
                lower in NEGATIONS,
                lower[0].isdigit(),
            )
        )
    return tuple(words)
