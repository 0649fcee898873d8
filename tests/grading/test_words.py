from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.words import scan


def same(word: str) -> str:
    return word


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("…— *** _", []),
        ("Learning rates", ["learning", "rates"]),
        ("0.5 and 1,000.25, or 99.9%.", ["0.5", "and", "1,000.25", "or", "99.9%"]),
        ("don't cats' o'clock 'quoted'", ["don't", "cats", "o'clock", "quoted"]),
        ("fine-tuning snake_case", ["fine", "tuning", "snake", "case"]),
        ("fp16 3rd x2", ["fp16", "3", "rd", "x2"]),
        ("学習率 naïve ÉTÉ", ["学習率", "naïve", "été"]),
        ("50 % 1..2 3.", ["50", "1", "2", "3"]),
    ],
)
def test_words_are_found(text: str, words: list[str]) -> None:
    assert [word.stem for word in scan(text, same)] == words


def test_a_word_knows_its_place_and_its_kind() -> None:
    text = "It can't reach 7%"
    it, cannot, reach, seven = scan(text, same)
    assert [text[word.start : word.end] for word in (it, cannot, reach, seven)] == ["It", "can't", "reach", "7%"]
    assert [word.is_function for word in (it, cannot, reach, seven)] == [True, False, False, False]
    assert [word.is_negation for word in (it, cannot, reach, seven)] == [False, True, False, False]
    assert [word.is_number for word in (it, cannot, reach, seven)] == [False, False, False, True]


def test_the_stem_is_asked_for_lower_case_words() -> None:
    asked: list[str] = []

    def stem(word: str) -> str:
        asked.append(word)
        return word[:3]

    assert [word.stem for word in scan("Batches BATCHED", stem)] == ["bat", "bat"]
    assert asked == ["batches", "batched"]


@given(st.text())
def test_words_hold_every_letter_and_digit_once(text: str) -> None:
    words = scan(text, same)
    held = [place for word in words for place in range(word.start, word.end)]
    assert held == sorted(set(held))
    assert {place for place, char in enumerate(text) if char.isalnum()} <= set(held)
    assert all(any(char.isalnum() for char in text[word.start : word.end]) for word in words)


@pytest.mark.parametrize("unit", ["word ", "1,", "1", "a'", "''", "1.%", "_a"])
def test_time_grows_with_length(unit: str, growth: Callable[[Callable[[int], object]], float]) -> None:
    assert growth(lambda scale: scan(unit * (15_000 * scale // len(unit)), same)) < 9
