import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.cli.evaluate_page import pieces
from markscheme.cli.evaluate_words import number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.7664, ".766"),
        (-0.05, "-.050"),
        (0.0, ".000"),
        (1.0, "1.000"),
        (-1.0, "-1.000"),
        (0.9999, "1.000"),
        (-0.0001, ".000"),
    ],
)
def test_numbers_have_three_decimals_and_no_zero_before_the_point(value: float, text: str) -> None:
    assert number(value) == text


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=6))
def test_the_pieces_joined_are_the_answer_and_each_character_knows_whether_it_is_evidence(
    answer: str, spans: list[tuple[int, int]]
) -> None:
    found = pieces(answer, spans)
    assert "".join(piece.text for piece in found) == answer
    marked = [piece.is_evidence for piece in found for _ in piece.text]
    assert marked == [any(start <= place < end for start, end in spans) for place in range(len(answer))]
