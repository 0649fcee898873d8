import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.refused_index import RefusedIndex
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.errors import IndexMissingError
from markscheme.grading.grade import Grade
from markscheme.grading.rubric import Point
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest


class NarrowEmbedder(HashingEmbedder):
    """Takes few tokens, so that long segments must be halved for it."""

    @property
    def max_tokens(self) -> int:
        return 6


def grader_of(embedder: HashingEmbedder) -> Grader:
    return Grader(
        embedder=embedder,
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=read_calibration(),
        index=RefusedIndex(IndexMissingError("nothing was built")),
        inline_index=InlineRubricIndex,
    )


GRADER = grader_of(HashingEmbedder())
POINTS = (
    Point("p1", "Large batches converge to sharp minima", misconceptions=("Large batches converge to flat minima",)),
    Point("p2", "Momentum carries 90% of the last step", importance="okay"),
    Point("p3", "Warmup keeps the first updates small", alternatives=("Start with tiny learning rates",), weight=2),
)
SAID = ["Large batches converge to sharp minima.", "Start with tiny learning rates."]


def grade(answer: str, points: tuple[Point, ...] = POINTS) -> Grade:
    return GRADER.grade(GradeRequest(answer, points=points))


PIECES = [
    *SAID, "Large batches converge to flat minima.", "Momentum carries 90% of the last step", "- Warmup", "1. Costs:",
    "ﬁrst ½ step", "cafe\u0301", "\u200b", "\u202e", "👨\u200d👩", "обучение", "學習",
    "\n", "\n\n", " ", "\n```\n", "...",
]  # fmt: skip
ANSWERS = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=80
)


@given(ANSWERS)
def test_a_grade_holds_together(answer: str) -> None:
    found = grade(answer)
    assert found == grade(answer)
    assert 0 <= found.score <= 100
    assert 0 <= found.vital_coverage <= 1
    assert [one.id for one in found.points] == ["p1", "p2", "p3"]
    for one in found.points:
        assert 0 <= one.coverage <= 1
        assert all(answer[place.start : place.end] == place.text != "" for place in one.evidence)
        assert bool(one.evidence) == (one.status != "missing")
    assert found.missing == tuple(one.text for one in found.points if one.status == "missing")
    assert found.needs_review == bool(found.review_reasons)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_every_word_is_read(answer: str) -> None:
    read = GRADER._read(answer)
    held = {place for start, end in read.segments for place in range(start, end)}
    # A number that only counts the items of a list is no word of the answer.
    words = [match.span() for match in re.finditer(r"[^\W\d_]{2,}", read.normal.text)]
    assert all(held.issuperset(range(start, end)) for start, end in words)


@pytest.mark.parametrize(
    "answer", [f"``` {SAID[0]}", f"```{SAID[0]}```", f"```\n``` {SAID[0]}\n```", f"~~~\n{SAID[0]}"]
)
def test_what_stands_beside_a_fence_is_read(answer: str) -> None:
    assert grade(answer).points[0].status == "covered"


SENTENCES = st.lists(st.sampled_from([*SAID, "Momentum carries much.", "It was 90%.", "Warmup helps the first one."]),
                     min_size=1, max_size=5)  # fmt: skip


@given(SENTENCES, SENTENCES, st.sampled_from([" ", "\n", "\n\n"]))
def test_another_sentence_lowers_no_point_without_misconceptions(said: list[str], more: list[str], by: str) -> None:
    points = tuple(replace(one, misconceptions=()) for one in POINTS)
    before, after = grade(" ".join(said), points), grade(" ".join(said) + by + " ".join(more), points)
    assert after.score >= before.score
    for less, full in zip(before.points, after.points, strict=True):
        assert full.coverage >= less.coverage - 1e-3
        assert (less.status, full.status) != ("covered", "missing")


@given(ANSWERS, st.permutations(range(3)))
def test_points_in_another_order_are_decided_alike(answer: str, order: list[int]) -> None:
    permuted = grade(answer, tuple(POINTS[place] for place in order))
    in_order = grade(answer)
    assert permuted.points == tuple(in_order.points[place] for place in order)
    assert (permuted.score, permuted.verdict) == (in_order.score, in_order.verdict)


@given(st.lists(ANSWERS, max_size=4), ANSWERS)
def test_answers_graded_before_leave_no_trace(before: list[str], answer: str) -> None:
    fresh = grader_of(HashingEmbedder()).grade(GradeRequest(answer, points=POINTS))
    for other in before:
        grade(other)
    assert grade(answer) == fresh


@pytest.mark.parametrize("answer", ["", "\n\n\n", " \t ", "?!…", "\u200b\u200b", "```\n```", "- \n- \n", "👨\u200d👩"])
def test_an_answer_without_a_word_misses_all(answer: str) -> None:
    found = grade(answer)
    assert {one.status for one in found.points} == {"missing"}
    assert (found.score, found.verdict) == (0.0, "incorrect")
    assert found.flags[0].code == "empty_answer"


def test_letters_hidden_in_an_answer_cost_it_nothing_and_are_told() -> None:
    honest = " ".join(SAID)
    hidden = honest.replace("batches", "bat\u200bches").replace("tiny", "tinу")  # noqa: RUF001 - a Cyrillic letter
    assert grade(hidden).score == grade(honest).score > 0
    assert [flag.code for flag in grade(hidden).flags] == ["invisible_characters", "look_alike_letters"]
    assert "bat\u200bches" in grade(hidden).points[0].evidence[0].text


def test_a_word_without_end_is_read() -> None:
    begun = time.perf_counter()
    found = grade("x" * 20_000)
    assert found.score == 0
    assert time.perf_counter() - begun < 10


def test_a_transcript_without_full_stops_is_searched_to_its_end() -> None:
    filler = " ".join(f"and{n} so{n} on{n}" for n in range(1_000))
    found = grade(f"{filler} large batches converge to sharp minima")
    assert found.points[0].status == "covered"
    assert found.points[0].evidence[0].text.endswith("sharp minima")
    assert len(found.points[0].evidence[0].text.split()) <= 64


@pytest.mark.parametrize("times", [1, 2])
def test_a_misconception_in_a_transcript_is_found(times: int) -> None:
    filler = " ".join(f"and{n} so{n}" for n in range(25))
    wrong = "large batches converge to flat minima"
    found = grade(" ".join([filler, *[wrong, filler] * times])).points[0]
    assert found.status == "contradicted"
    assert "minima" in found.evidence[0].text


def test_the_score_follows_the_weights() -> None:
    found = grade("Start with tiny learning rates.")
    # p3 alone, 2 of 4; of the vital weights 1 and 2, 2 of 3.
    assert [one.status for one in found.points] == ["missing", "missing", "covered"]
    assert found.score == 50
    assert found.vital_coverage == pytest.approx(2 / 3, abs=1e-4)


def test_segments_are_halved_for_a_model_that_takes_few_tokens() -> None:
    narrow = grader_of(NarrowEmbedder())
    answer = "Rain fell. " + " ".join(f"word{n}" for n in range(40)) + " batches " + "y" * 30
    read = narrow._read(answer)
    assert list(read.segments) == sorted(read.segments)
    assert all(count <= 6 for count in read.token_counts)
    held = {place for start, end in read.segments for place in range(start, end)}
    assert {place for place, char in enumerate(answer) if char.isalnum()} <= held
    assert narrow.grade(GradeRequest("word " * 90 + "batches grow", points=(Point("p", "batches grow"),))).score == 100


def test_threads_share_a_grader() -> None:
    fresh = grader_of(HashingEmbedder())
    requests = [
        GradeRequest(" ".join(SAID), points=POINTS, id="a"),
        GradeRequest("Large batches converge to flat minima.", points=POINTS, id="b"),
        GradeRequest(SAID[0], sample_answers=(" ".join(SAID),), id="c"),
    ] * 32
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(fresh.grade, requests))
    alone = [GRADER.grade(request) for request in requests[:3]]
    assert found == alone * 32
