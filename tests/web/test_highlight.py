from hypothesis import given
from hypothesis import strategies as st

from markscheme.web.highlight import Passage, Piece, pieces

ANSWER = "The hash says where. Collisions cost."

passages = st.lists(
    st.builds(
        Passage,
        st.integers(-5, 45),
        st.integers(-5, 45),
        st.integers(1, 4),
        st.sampled_from(["covered", "partial", "contradicted"]),
    ),
    max_size=8,
)


def test_an_answer_without_evidence_is_one_plain_piece() -> None:
    assert pieces(ANSWER, []) == [Piece(ANSWER)]
    assert pieces("", [Passage(0, 3, 1, "covered")]) == []


def test_passages_side_by_side_are_numbered_where_they_end() -> None:
    assert pieces("ab cd", [Passage(3, 5, 2, "partial"), Passage(0, 2, 1, "covered")]) == [
        Piece("ab", "covered", (1,)),
        Piece(" "),
        Piece("cd", "partial", (2,)),
    ]


def test_passages_that_overlap_share_a_piece_and_a_contradiction_shows_first() -> None:
    assert pieces("abcdef", [Passage(0, 4, 1, "covered"), Passage(2, 6, 2, "contradicted")]) == [
        Piece("ab", "covered"),
        Piece("cd", "contradicted", (1,)),
        Piece("ef", "contradicted", (2,)),
    ]


def test_a_passage_inside_another_and_one_given_twice() -> None:
    inner = Passage(2, 4, 2, "covered")
    assert pieces("abcdef", [Passage(0, 6, 1, "partial"), inner, inner]) == [
        Piece("ab", "partial"),
        Piece("cd", "covered", (2,)),
        Piece("ef", "partial", (1,)),
    ]


def test_two_points_with_the_same_passage_are_both_numbered() -> None:
    both = [Passage(0, 6, 3, "covered"), Passage(0, 6, 1, "covered")]
    assert pieces("abcdef", both) == [Piece("abcdef", "covered", (1, 3))]


def test_what_lies_outside_the_answer_is_left_out() -> None:
    assert pieces("abc", [Passage(-1, 2, 1, "covered"), Passage(2, 9, 1, "covered"), Passage(1, 1, 1, "covered")]) == [
        Piece("abc")
    ]


@given(passages)
def test_the_pieces_are_the_answer_and_mark_what_the_passages_mark(spans: list[Passage]) -> None:
    found = pieces(ANSWER, spans)
    assert "".join(piece.text for piece in found) == ANSWER
    marked = [piece.status is not None for piece in found for _ in piece.text]
    kept = [span for span in spans if 0 <= span.start < span.end <= len(ANSWER)]
    assert marked == [any(span.start <= at < span.end for span in kept) for at in range(len(ANSWER))]
    assert {n for piece in found for n in piece.ending} == {span.number for span in kept}
