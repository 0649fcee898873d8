from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.alignment import (
    CHANCE_MATCH,
    FEATURES,
    FEWEST_TO_RELATE,
    RELEVANT_MATCH,
    Alignment,
    align,
    relevance,
)
from markscheme.grading.answer import Answer
from markscheme.grading.embedding import Embedding
from markscheme.grading.statement import WeighedStatement
from markscheme.grading.text import normalise
from markscheme.grading.words import scan

SENTENCES = st.lists(
    st.lists(
        st.sampled_from(["cache", "batch", "7", "memory", "never", "the", "gradient"]), min_size=1, max_size=5
    ).map(" ".join),
    min_size=1,
    max_size=5,
)


def embedded(text: str, directions: dict[str, tuple[float, float]]) -> Embedding:
    """Two dimensions, one token a word, so that every cosine can be told by hand."""
    words = scan(text, str)
    tokens = np.array([directions[word.stem] for word in words], np.float32).reshape(-1, 2)
    offsets = np.array([(word.start, word.end) for word in words], np.int32).reshape(-1, 2)
    return Embedding(np.array([1, 0], np.float32), tokens, offsets, np.ones(len(words), np.float32))


def aligned(statement: str, weights: list[float], segments: list[str], **cosine: float) -> Alignment:
    """`cosine` is of each word with the direction of the statement's words, which is the same for all of them."""
    directions = {word: (value, float(np.sqrt(1 - value**2))) for word, value in cosine.items()}
    directions |= {word.stem: (1.0, 0.0) for word in scan(statement, str)}
    text = "\n".join(segments)
    starts = np.cumsum([0, *(len(one) + 1 for one in segments[:-1])]).tolist()
    spans = [(start, start + len(one)) for start, one in zip(starts, segments, strict=True)]
    answer = Answer.of(normalise(text), spans, [embedded(one, directions) for one in segments], str)
    words = scan(statement, str)
    weighed = WeighedStatement(
        statement, embedded(statement, directions), words, np.array(weights), np.eye(len(words), dtype=np.float32)
    )
    cosines = np.linspace(0.1, 0.1 * len(segments), len(segments)).astype(np.float32)
    found = align(weighed, answer, cosines, cosines[1:] + np.float32(0.2))
    assert found is not None
    return found


def test_words_are_found_by_stem_and_by_meaning() -> None:
    found = aligned("red fox", [0.25, 0.75], ["fox", "canine", "unrelated"], canine=0.55, unrelated=0.2)
    assert found.by_stem.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert found.by_meaning == pytest.approx(np.array([[1, 0.5, 0], [1, 0.5, 0]]), abs=1e-6)
    assert found.said == pytest.approx([1, 0.5, 0], abs=1e-6)
    assert found.best_segment == 0


def test_features_by_hand() -> None:
    found = aligned("red fox 7", [0.2, 0.3, 0.5], ["other fox", "near", "7 other"], other=0.0, near=0.7)
    features = found.features
    # By meaning all of a segment's words look alike here: 1 where a word of the statement stands, .8 for "near".
    assert features["match_passage"] == pytest.approx(1)
    assert features["meaning_segment"] == pytest.approx(1)
    assert features["cosine_passage"] == pytest.approx(0.5)
    assert features["numbers_missing"] == 0


def test_two_segments_running_are_read_as_one() -> None:
    together = by_stem_alone(aligned("red fox", [0.5, 0.5], ["red", "fox", "blank"], blank=0.0))
    assert together.match_passage == 1
    apart = by_stem_alone(aligned("red fox", [0.5, 0.5], ["red", "blank", "fox"], blank=0.0))
    assert apart.match_passage == 0.5


def test_two_segments_say_together_what_either_says() -> None:
    found = by_stem_alone(aligned("red fox sleeps", [0.5, 0.2, 0.3], ["red fox", "fox sleeps", "blank"], blank=0.0))
    assert found.together(0, 1) == found.together(1, 0) == pytest.approx(1)
    assert found.together(0, 2) == pytest.approx(0.7)
    assert [found.together(place, place) for place in range(3)] == pytest.approx(found.said)


def by_stem_alone(found: Alignment) -> Alignment:
    return Alignment(found.statement, found.by_stem, np.zeros_like(found.by_meaning), found.cosines, found.pair_cosines)


def test_the_worst_found_quarter_is_told_apart() -> None:
    # None of the words is found by meaning: the answer's words point elsewhere.
    assert worst([0.4, 0.4, 0.2], ["a", "b"]) == 1
    assert worst([0.4, 0.35, 0.25], ["a", "b"]) == 0
    assert worst([0.3, 0.3, 0.4], ["a", "b", "c"]) == 1
    assert worst([0.3, 0.3, 0.4], ["x"]) == 0


def worst(weights: list[float], said: list[str]) -> float:
    whole = aligned("a b c", weights, [" ".join(said)], x=0.0)
    return Alignment(
        whole.statement, whole.by_stem, np.zeros_like(whole.by_meaning), whole.cosines, whole.pair_cosines
    ).features["weakest_words"]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 1, 0, 3], [1, 2, 0, 3]])
def test_rounding_does_not_move_the_quarter(order: list[int]) -> None:
    # .05 + .18 + .02 is a quarter or a hair less, by the order of adding.
    weights = np.array([0.05, 0.18, 0.02, 0.75])[order].tolist()
    words = np.array(["a", "b", "c", "d"])[order]
    whole = aligned(" ".join(words), weights, ["d"])
    stemless = Alignment(
        whole.statement, whole.by_stem, np.zeros_like(whole.by_stem), whole.cosines, whole.pair_cosines
    )
    assert stemless.features["weakest_words"] == 0


@pytest.mark.parametrize(
    ("segments", "missing"), [(["7 of 9"], 0.0), (["7"], -0.5), (["7", "9"], 0.0), (["seven"], -1.0)]
)
def test_numbers_must_stand_somewhere(bench: Any, segments: list[str], missing: float) -> None:
    assert align_in(bench, "7 cats of 9", segments).features["numbers_missing"] == missing


def align_in(bench: Any, statement: str, sentences: list[str]) -> Alignment:
    found: Alignment = bench.align(statement, bench.answer(*sentences))
    return found


def test_a_blanked_segment_says_nothing(bench: Any) -> None:
    whole = align_in(bench, "7 cats", ["7 cats purr.", "Rain falls."])
    less = whole.without(np.array([True, False]))
    assert less.said[0] == 0
    assert less.features["numbers_missing"] == -1
    assert less.features["cosine_passage"] == pytest.approx(float(whole.cosines[1]))
    assert less.features["match_passage"] < 0.5 < whole.features["match_passage"]
    assert whole.without(np.array([False, False])).features == whole.features


def test_relevance_grows_between_chance_and_what_an_answer_finds() -> None:
    half = FEWEST_TO_RELATE // 2
    assert relevance([CHANCE_MATCH] * FEWEST_TO_RELATE) == 0
    assert relevance([0.0, CHANCE_MATCH + RELEVANT_MATCH] * half) == pytest.approx(0.5)
    assert relevance([1.0, RELEVANT_MATCH] * half) == 1


def test_few_points_say_nothing_of_what_an_answer_is_about() -> None:
    assert relevance([]) == 1
    assert relevance([0.0] * (FEWEST_TO_RELATE - 1)) == 1
    assert relevance([0.0] * FEWEST_TO_RELATE) == 0


def test_nothing_to_align_gives_nothing(bench: Any) -> None:
    empty = np.zeros(0, np.float32)
    assert align(bench.statement("cats"), bench.answer(), empty, empty) is None
    one = np.ones(1, np.float32)
    assert align(bench.statement("?!"), bench.answer("cats"), one, empty) is None


def test_a_statement_that_is_said_is_found_whole(bench: Any) -> None:
    features = align_in(bench, "The cache holds 7 pages", ["Well.", "The cache holds 7 pages."]).features
    assert set(features) == set(FEATURES)
    for name in ("match_passage", "weakest_words", "meaning_segment"):
        assert features[name] == pytest.approx(1), name


@given(SENTENCES, SENTENCES.map(" ".join))
def test_every_feature_keeps_its_bounds(bench: Any, sentences: list[str], statement: str) -> None:
    features = align_in(bench, statement, sentences).features
    assert all(
        -1e-6 <= features[name] <= 1 + 1e-6 for name in FEATURES if name not in ("cosine_passage", "numbers_missing")
    )
    assert -1 <= features["numbers_missing"] <= 0
    assert -1.001 <= features["cosine_passage"] <= 1.001


@given(
    SENTENCES,
    st.lists(st.sampled_from(["batch", "cache 7.", "never", "the memory"]), min_size=1, max_size=3),
    SENTENCES.map(" ".join),
)
def test_more_sentences_lower_no_feature(bench: Any, sentences: list[str], more: list[str], statement: str) -> None:
    before = align_in(bench, statement, sentences).features
    after = align_in(bench, statement, [*sentences, *more]).features
    assert all(after[name] >= before[name] - 1e-6 for name in FEATURES)
