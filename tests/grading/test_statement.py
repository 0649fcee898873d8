from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.statement import Weigher, token_rows
from markscheme.grading.words import scan

WORDS = st.lists(
    st.sampled_from(["the", "batch", "size", "gradient", "not", "0.5", "memory", "of", "regularisation", "é"]),
    min_size=1,
    max_size=12,
).map(" ".join)


def weights(bench: Any, text: str, question: str = "", points: tuple[str, ...] = ()) -> dict[str, float]:
    statement = bench.statement(text, question, points)
    return {
        text[word.start : word.end]: weight for word, weight in zip(statement.words, statement.weights, strict=True)
    }


@given(WORDS, WORDS, st.lists(WORDS, max_size=6))
def test_weights_are_positive_and_sum_to_one(bench: Any, text: str, question: str, points: list[str]) -> None:
    statement = bench.statement(text, question, tuple(points))
    assert statement.weights.sum() == pytest.approx(1)
    assert (statement.weights > 0).all()
    assert len(statement.weights) == len(statement.words)


def test_a_text_without_words_weighs_nothing(bench: Any) -> None:
    statement = bench.statement("… —")
    assert (len(statement.words), len(statement.weights), statement.averaging.shape) == (0, 0, (0, 0))


def test_rare_words_weigh_more_and_function_words_least(bench: Any) -> None:
    found = weights(bench, "the cat of regularisation")
    assert found["the"] == found["of"] < found["cat"] < found["regularisation"]


def test_words_of_the_question_weigh_little(bench: Any) -> None:
    alone, given_away = weights(bench, "batches shrink"), weights(bench, "batches shrink", "Why use a large batch?")
    assert given_away["batches"] < 0.5 * alone["batches"]
    assert given_away["batches"] < 0.2 * given_away["shrink"]


def test_words_of_every_point_weigh_less(bench: Any) -> None:
    points = ("cache warms", "cache cools", "cache fills", "cache spills")
    found = weights(bench, "cache warms", points=points)
    assert found["cache"] < found["warms"]
    few = weights(bench, "cache warms", points=points[:3])
    assert few["cache"] == few["warms"]
    half = weights(bench, "cache warms", points=("cache warms", "cache cools", "pipes drain", "pipes leak"))
    assert found["cache"] < half["cache"] < half["warms"]


@given(st.lists(WORDS, min_size=4, max_size=7), st.randoms())
def test_the_order_of_the_points_does_not_matter(bench: Any, points: list[str], random: Any) -> None:
    shuffled = random.sample(points, len(points))
    for text in points:
        first, second = (bench.statement(text, "", tuple(order)) for order in (points, shuffled))
        assert np.array_equal(first.weights, second.weights)


def test_no_question_gives_nothing_away(bench: Any) -> None:
    (embedding,) = bench.embed(["batches shrink"])
    weigh = [Weigher(bench.stem, question, ()).weigh("batches shrink", embedding).weights for question in (None, "")]
    assert weigh[0].tolist() == weigh[1].tolist() == pytest.approx([0.5, 0.5], abs=0.1)


def test_tokens_belong_to_the_word_that_they_touch(bench: Any) -> None:
    # The bench's tokens are runs of letters and digits: two of them make "don't", one of them two numbers apart.
    text = "don't 0.5 ok"
    (embedding,) = bench.embed([text])
    assert [text[start:end] for start, end in embedding.offsets] == ["don", "t", "0", "5", "ok"]
    assert token_rows(scan(text, bench.stem), embedding).astype(int).tolist() == [
        [1, 1, 0, 0, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 0, 0, 1],
    ]
    side_by_side = replace(embedding, offsets=np.array([(0, 1), (1, 3)], np.int32))
    assert token_rows(scan("3rd", bench.stem), side_by_side).tolist() == [[True, False], [False, True]]
    assert bench.statement(text).averaging.tolist() == [[0.5, 0.5, 0, 0, 0], [0, 0, 0.5, 0.5, 0], [0, 0, 0, 0, 1]]
