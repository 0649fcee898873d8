import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.grading.segments import MAX_CHARS, MAX_WORDS, Span, segments, windows

SENTENCES = SentencexSplitter().sentences


def whole(text: str) -> list[Span]:
    return [(0, len(text))]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in segments(text, whole(text), SENTENCES)]


def test_sentences_are_segments() -> None:
    assert split("The cache is warm. It answers first! Does it?") == [
        "The cache is warm.",
        "It answers first!",
        "Does it?",
    ]


@pytest.mark.parametrize("text", ["", " \n ", "?!", "— …"])
def test_what_has_no_letter_or_digit_is_no_segment(text: str) -> None:
    assert split(text) == []


def test_sentences_never_cross_a_passage() -> None:
    text = "one two three four"
    assert segments(text, [(0, 7), (8, 18)], SENTENCES) == [(0, 7), (8, 18)]


def numbered(count: int) -> str:
    return " ".join(f"w{n}" for n in range(count))


def test_a_sentence_up_to_the_limit_stays_whole() -> None:
    assert split(numbered(MAX_WORDS)) == [numbered(MAX_WORDS)]
    assert len(split(numbered(MAX_WORDS + 1))) > 1


@pytest.mark.parametrize("count", [49, 50, 63, 64, 65, 80, 97, 3_000])
def test_sixteen_words_running_stand_whole_in_one_window(count: int) -> None:
    text = numbered(count)
    found = [piece.split() for piece in split(text)]
    assert all(len(piece) <= MAX_WORDS for piece in found)
    words = text.split()
    standing = {tuple(piece[at : at + 16]) for piece in found for at in range(len(piece) - 15)}
    assert {tuple(words[at : at + 16]) for at in range(count - 15)} <= standing
    assert len(found) <= count / 16 + 1


def test_an_endless_word_is_cut_into_pieces_that_join_again() -> None:
    word = "".join(chr(ord("a") + n % 26) for n in range(20_000))
    pieces = split(word)
    assert "".join(pieces) == word
    assert max(map(len, pieces)) <= MAX_CHARS


def test_long_words_are_cut_between_them() -> None:
    text = " ".join(["x" * 97] * 19)
    assert all(set(map(len, piece.split())) == {97} for piece in split(text))


def test_a_long_gap_is_one_window_that_holds_nothing() -> None:
    gap = " " * (MAX_CHARS + 1)
    assert windows(gap, (0, len(gap))) == [(0, len(gap))]
    assert segments(gap, whole(gap), whole) == []


PIECES = ["word", "x" * 90, " ", ". ", "\n", "é", "学習", "1.5", "e.g. ", "?!", "\u3000", "(", ")", "— "]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=120).map("".join) | st.text()


@given(TEXTS, st.sampled_from([SENTENCES, whole]))
def test_segments_hold_every_letter_and_digit(text: str, sentences: Callable[[str], list[Span]]) -> None:
    passages = [match.span() for match in re.finditer(r"[^\n]+", text)]
    found = segments(text, passages, sentences)
    held = {place for start, end in found for place in range(start, end)}
    assert {place for place, char in enumerate(text) if char.isalnum()} <= held
    assert all(0 <= start < end <= len(text) and end - start <= MAX_CHARS for start, end in found)
    assert all(len(text[start:end].split()) <= MAX_WORDS for start, end in found)
    assert found == sorted(set(found))


@pytest.mark.parametrize("unit", ["word ", "x", "A b. "])
def test_time_grows_with_length(unit: str, growth: Callable[[Callable[[int], object]], float]) -> None:
    def work(scale: int) -> object:
        text = unit * (20_000 * scale // len(unit))
        return segments(text, whole(text), whole)

    assert growth(work) < 9
