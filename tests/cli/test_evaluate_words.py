import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.agreement.results import RiskCurve, RiskStep
from markscheme.cli.evaluate_page import pieces
from markscheme.cli.evaluate_plots import LEFT, SIDE, TOP, risk_plot
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


@pytest.mark.parametrize(("last", "written"), [(0.8, 5), (0.52, 5), (0.5, 5), (0.0, 5)])
def test_a_curve_fills_its_frame_and_no_two_ticks_read_alike(last: float, written: int) -> None:
    steps = tuple(RiskStep(part / 10, 10 - part, 0.5 + (last - 0.5) * part / 5) for part in range(6))
    plot = risk_plot(RiskCurve("answers", "accuracy", steps))
    assert (plot.dots[0].x, plot.dots[-1].x) == (LEFT, LEFT + SIDE)
    assert all(TOP <= dot.y <= TOP + SIDE for dot in plot.dots)
    assert [text for _, text in plot.ticks_across] == ["0.00", "0.10", "0.20", "0.30", "0.40", "0.50"]
    assert len({text for _, text in plot.ticks_upwards}) == written
    assert plot.told.startswith("accuracy, least sure answers set aside: 0%: .500; 10%: ")
