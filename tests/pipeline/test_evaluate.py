import logging
from dataclasses import replace

import numpy as np
import pytest

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.refused_index import RefusedIndex
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.agreement.baseline import Likeness
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.grading.errors import IndexMissingError, InputError, MarkschemeError
from markscheme.grading.rubric import Point
from markscheme.pipeline.evaluate import baselines, grade_judged, judged_request, with_references
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.sentence_cosine import SentenceCosine

EMBEDDER = HashingEmbedder()
SPLITTER = SentencexSplitter()
POINTS = (Point("p1", "Readers never wait", heading="Locks"), Point("p2", "Commits flush the log to disk"))
BY_POINTS = GradeRequest("Commits flush the log to disk.", points=POINTS, id="a")
BY_SAMPLES = GradeRequest("Commits.", sample_answers=("One.", "Two."), question="Why?")
BY_ID = GradeRequest("Commits flush the log to disk.", question_id="db/q")


def grader() -> Grader:
    return Grader(
        embedder=EMBEDDER,
        splitter=SPLITTER,
        stemmer=SnowballStemmer(),
        calibration=read_calibration(),
        index=RefusedIndex(IndexMissingError("There is no index.")),
        inline_index=InlineRubricIndex,
    )


def test_a_row_holds_both_sides() -> None:
    row = judged_request(BY_POINTS, Gold(points=(0.0, 1.0)), "g", 3)
    assert row.judged == JudgedAnswer(
        "a",
        BY_POINTS.answer,
        ("Locks: Readers never wait", "Commits flush the log to disk"),
        are_points=True,
        group="g",
        gold=Gold(points=(0.0, 1.0)),
    )
    sample = judged_request(BY_SAMPLES, Gold(score=1.0), None, 3).judged
    assert (sample.name, sample.references, sample.are_points) == ("line 3", ("One.", "Two."), False)


def test_the_group_is_the_question_as_far_as_it_is_known() -> None:
    def group(request: GradeRequest, told: str | None = None) -> str:
        return judged_request(request, Gold(score=1.0), told, 1).judged.group

    assert group(BY_ID, "told") == "told"
    assert group(replace(BY_ID, question="Why?")) == "db/q"
    assert group(BY_SAMPLES) == "Why?"
    # Without any name: whatever is marked by the same points answers the same question.
    assert group(BY_POINTS) == group(replace(BY_POINTS, answer="Other.", id="b"))
    assert group(BY_POINTS) != group(replace(BY_POINTS, points=POINTS[:1]))


@pytest.mark.parametrize(
    ("request_of_it", "gold", "said"),
    [
        (BY_POINTS, Gold(points=(1.0,)), "gold.points is about 1 points, but the answer is marked by 2"),
        (BY_POINTS, Gold(nli="neutral"), "gold.nli is about 1 points, but the answer is marked by 2"),
        (BY_SAMPLES, Gold(points=(1.0,)), "a sample answer has none of its own"),
        (BY_SAMPLES, Gold(nli="neutral"), "a sample answer has none of its own"),
    ],
)
def test_what_people_decided_must_belong_to_the_points(request_of_it: GradeRequest, gold: Gold, said: str) -> None:
    with pytest.raises(InputError, match=said):
        judged_request(request_of_it, gold, None, 1)


def test_a_row_is_graded_as_any_request() -> None:
    graded = grade_judged(grader(), judged_request(BY_POINTS, Gold(points=(0.0, 1.0)), None, 1))
    expected = grader().grade(BY_POINTS)
    assert isinstance(graded, OurGrade)
    assert (graded.score, graded.verdict, graded.confidence) == (expected.score, expected.verdict, expected.confidence)
    assert [(one.status, one.coverage) for one in graded.points] == [
        (one.status, one.coverage) for one in expected.points
    ]
    assert graded.points[1].evidence == ((0, len(BY_POINTS.answer)),)


def test_what_cannot_be_graded_is_told_but_a_missing_index_stops_everything(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = judged_request(replace(BY_POINTS, points=(Point("p", "..."),)), Gold(score=1.0), None, 1)
    assert isinstance(grade_judged(grader(), empty), InputError)
    with pytest.raises(IndexMissingError):
        grade_judged(grader(), judged_request(BY_ID, Gold(score=1.0), None, 1))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Grader, "grade", broken)
    with caplog.at_level(logging.ERROR):
        found = grade_judged(grader(), judged_request(BY_POINTS, Gold(score=1.0), None, 7))
    assert isinstance(found, MarkschemeError)
    assert "a could not be graded" in caplog.text


def test_the_grade_tells_the_points_of_an_indexed_question() -> None:
    grade = OurGrade.of(grader().grade(BY_POINTS))
    row = judged_request(BY_ID, Gold(points=(0.0, 1.0)), None, 1).judged
    assert with_references(row, grade).references == ("Locks: Readers never wait", "Commits flush the log to disk")
    assert with_references(row, None) == row
    other = judged_request(BY_ID, Gold(points=(0.0, 1.0, 1.0)), None, 1).judged
    with pytest.raises(InputError, match="about 3 points, but the answer is marked by 2"):
        with_references(other, grade)
    own = judged_request(BY_POINTS, Gold(points=(0.0, 1.0)), None, 1).judged
    assert with_references(own, grade) == own


def answer_of(answer: str, *references: str, are_points: bool = True) -> JudgedAnswer:
    return JudgedAnswer("a", answer, references, are_points, "g", Gold(score=1.0))


def cosine(left: str, right: str) -> float:
    one, other = EMBEDDER.embed([left, right])
    return float(np.dot(one.vector, other.vector))


def test_a_point_is_as_near_as_the_nearest_sentence() -> None:
    row = answer_of("Readers never wait. Commits flush the log.", "Commits flush the log.", "Vacuum removes versions.")
    like = SentenceCosine(EMBEDDER, SPLITTER).of(row)
    assert like.references[0] == pytest.approx(1.0)
    nearest = max(cosine(one, row.references[1]) for one in ("Readers never wait.", "Commits flush the log."))
    assert like.references[1] == pytest.approx(nearest, abs=1e-6)
    assert like.whole == pytest.approx(sum(like.references) / 2)


def test_a_sample_answer_is_as_near_as_its_sentences_in_the_mean_and_the_best_one_counts() -> None:
    sample = "Readers never wait. Vacuum removes versions."
    row = answer_of("Readers never wait.", sample, "Readers never wait.", are_points=False)
    like = SentenceCosine(EMBEDDER, SPLITTER).of(row)
    rest = cosine("Readers never wait.", "Vacuum removes versions.")
    assert like.references == pytest.approx((0.5 + rest / 2, 1.0), abs=1e-6)
    assert like.whole == pytest.approx(1.0)


@pytest.mark.parametrize("answer", ["", " ... "])
def test_without_words_nothing_is_near(answer: str) -> None:
    cosines = SentenceCosine(EMBEDDER, SPLITTER)
    assert cosines.of(answer_of(answer, "A point.")) == Likeness((0.0,), 0.0)
    assert cosines.of(answer_of("A sentence.", "...", are_points=False)) == Likeness((0.0,), 0.0)


def test_a_text_that_is_too_long_for_the_model_is_read_in_parts() -> None:
    words = " ".join(f"word{place}" for place in range(2 * EMBEDDER.max_tokens))
    like = SentenceCosine(EMBEDDER, SPLITTER).of(answer_of(words, words))
    assert 0 < like.whole <= 1


def test_both_baselines_of_every_row() -> None:
    rows = [answer_of("Commits flush the log.", "Commits flush."), answer_of("", "Commits.")]
    found = baselines(rows, EMBEDDER, SPLITTER)
    assert found["word_overlap"] == [Likeness((1.0,), 1.0), Likeness((0.0,), 0.0)]
    assert [one.whole for one in found["cosine"]] == [
        pytest.approx(cosine("Commits flush the log.", "Commits flush.")),
        0,
    ]
