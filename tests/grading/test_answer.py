from typing import Any

import numpy as np
import pytest

from markscheme.grading.answer import Answer
from markscheme.grading.embedding import Embedding
from markscheme.grading.text import normalise


def embedded(vector: list[float], tokens: int) -> Embedding:
    one = np.array(vector, np.float32)
    return Embedding(one, np.tile(one, (tokens, 1)), np.zeros((tokens, 2), np.int32), np.ones(tokens, dtype=np.float32))


def answer_of(text: str, spans: list[tuple[int, int]], embeddings: list[Embedding]) -> Answer:
    return Answer.of(normalise(text), spans, embeddings, str)


def test_token_rows_stand_segment_after_segment() -> None:
    answer = answer_of("one two three", [(0, 7), (8, 13)], [embedded([1, 0], 2), embedded([0, 1], 3)])
    assert len(answer) == 2
    assert answer.vectors.tolist() == [[1, 0], [0, 1]]
    assert answer.tokens.tolist() == [[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]
    assert answer.token_counts.tolist() == [2, 3]
    assert answer.first_tokens.tolist() == [0, 2]
    assert answer.stems == (frozenset({"one", "two"}), frozenset({"three"}))


def test_a_segment_without_tokens_is_left_out() -> None:
    answer = answer_of(
        "one ?? two", [(0, 3), (4, 6), (7, 10)], [embedded([1, 0], 1), embedded([0, 0], 0)] * 1 + [embedded([0, 1], 1)]
    )
    assert answer.segments == ((0, 3), (7, 10))
    assert answer.vectors.tolist() == [[1, 0], [0, 1]]


def test_segments_without_an_embedding_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="zip"):
        answer_of("one two", [(0, 3), (4, 7)], [embedded([1, 0], 1)])


def test_a_pair_leans_to_the_longer_of_the_two() -> None:
    answer = answer_of("one two three", [(0, 3), (4, 13)], [embedded([1, 0], 1), embedded([0, 1], 3)])
    assert answer.pair_vectors == pytest.approx(np.array([[1, 3]]) / np.sqrt(10))


def test_opposite_segments_have_no_pair_direction() -> None:
    answer = answer_of("one two", [(0, 3), (4, 7)], [embedded([1, 0], 1), embedded([-1, 0], 1)])
    assert answer.pair_vectors.tolist() == [[0, 0]]


def test_one_segment_has_no_pair(bench: Any) -> None:
    assert bench.answer("Only this.").pair_vectors.shape == (0, 64)


def test_windows_overlap_where_they_share_characters() -> None:
    answer = answer_of("abcdefgh", [(0, 4), (2, 6), (6, 8)], [embedded([1, 0], 1)] * 3)
    assert answer.overlaps.astype(int).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
