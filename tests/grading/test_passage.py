from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.passage import PASSAGE_TOKENS, bearing_segments, passage_text

STATEMENT = "large batches converge to sharp minima"
WORDS = ["large", "batches", "converge", "sharp", "minima", "rain", "museum", "tickets", "7", "the"]
SEGMENTS = st.lists(
    st.tuples(st.integers(1, 120), st.integers(0, len(WORDS) - 1)).map(
        lambda made: " ".join(WORDS[(made[1] + 3 * place) % len(WORDS)] for place in range(made[0]))
    ),
    min_size=1,
    max_size=8,
)


def chosen(bench: Any, sentences: list[str], statement: str = STATEMENT) -> list[int]:
    answer = bench.answer(*sentences)
    return bearing_segments(bench.align(statement, answer), answer)


@given(SEGMENTS)
def test_a_passage_fits_its_budget_unless_one_segment_alone_does_not(bench: Any, sentences: list[str]) -> None:
    answer = bench.answer(*sentences)
    found = bearing_segments(bench.align(STATEMENT, answer), answer)
    used = int(answer.token_counts[found].sum())
    assert used <= PASSAGE_TOKENS or len(found) == 1
    # Nothing that would still fit is left out.
    left = [int(count) for place, count in enumerate(answer.token_counts) if place not in found]
    assert all(count > PASSAGE_TOKENS - used for count in left)


@given(SEGMENTS)
def test_a_passage_keeps_the_order_of_the_answer(bench: Any, sentences: list[str]) -> None:
    found = chosen(bench, sentences)
    assert found
    assert found == sorted(set(found))


@given(SEGMENTS)
def test_the_segment_that_says_most_is_always_read(bench: Any, sentences: list[str]) -> None:
    answer = bench.answer(*sentences)
    alignment = bench.align(STATEMENT, answer)
    worth = alignment.said + 0.5 * alignment.cosines
    assert worth[bearing_segments(alignment, answer)].max() == pytest.approx(worth.max())


def filler(words: int, first: str = "rain") -> str:
    return " ".join([first, *["falls"] * (words - 1)])


def test_a_short_answer_is_read_whole(bench: Any) -> None:
    assert chosen(bench, ["Rain falls.", "Large batches.", "Museums open."]) == [0, 1, 2]


def test_of_a_long_answer_what_bears_on_the_statement_is_read(bench: Any) -> None:
    sentences = [filler(60), "Large batches converge quickly.", filler(60, "snow"), "They find sharp minima."]
    found = chosen(bench, sentences)
    assert {1, 3} <= set(found)
    assert len(found) == 3


def test_a_word_that_was_heard_makes_room_for_another(bench: Any) -> None:
    half, other = "large batches converge", "sharp minima"
    sentences = [f"{half} {filler(24)}", f"{half} {filler(24)}", f"{other} {filler(28)}", filler(30)]
    found = chosen(bench, sentences)
    assert 2 in found
    assert len({0, 1} & set(found)) == 1


def test_one_segment_over_the_budget_is_read_alone_where_it_says_most(bench: Any) -> None:
    assert chosen(bench, ["Rain falls.", f"{STATEMENT} {filler(PASSAGE_TOKENS)}", "Museums open."]) == [1]


def test_a_segment_over_the_budget_that_says_little_is_passed_over(bench: Any) -> None:
    assert chosen(bench, [filler(PASSAGE_TOKENS + 1), f"{STATEMENT}.", "Museums open."]) == [1, 2]


def test_the_text_of_a_passage_leaves_out_what_was_not_chosen(bench: Any) -> None:
    answer = bench.answer("One.", "Two.", "Three.")
    assert passage_text(answer, [0, 2]) == "One. Three."
    assert passage_text(answer, [0, 1, 2]) == "One. Two. Three."
    assert passage_text(answer, [1]) == "Two."
    assert passage_text(answer, []) == ""


def test_windows_that_overlap_are_joined(bench: Any) -> None:
    whole = bench.answer("one two three four five six")
    windows = bench.windows(whole, (0, 13), (4, 18), (8, 13), (14, 23), (24, 27))
    assert passage_text(windows, [0, 1]) == "one two three four"
    assert passage_text(windows, [0, 1, 2, 3]) == "one two three four five"
    assert passage_text(windows, [1, 2]) == "two three four"
    assert passage_text(windows, [0, 3]) == "one two three four five"
    assert passage_text(windows, [2, 4]) == "three six"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6)), min_size=1, max_size=6))
def test_no_word_of_a_passage_is_said_twice(bench: Any, cuts: list[tuple[int, int]]) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    whole = bench.answer(" ".join(words))
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words) + 1)]
    spans = sorted({(starts[first], starts[first + length] - 1) for first, length in cuts})
    text = passage_text(bench.windows(whole, *spans), range(len(spans)))
    said = text.split()
    covered = {word for first, length in cuts for word in words[first : first + length]}
    assert said == [word for word in words if word in covered]
