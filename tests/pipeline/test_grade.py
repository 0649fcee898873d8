from collections.abc import Callable

import numpy as np
import pytest

from markscheme import __version__
from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.errors import EmptyRubricError, InputError, UnknownQuestionError
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.verification import Claim
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import IndexedRubric, RubricIndex
from markscheme.pipeline.read_beside import INLINE
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.statements import index_rubric

POINTS = (
    Point("p1", "Readers never wait for writers", alternatives=("Queries take no lock",)),
    Point("p2", "Old versions are removed by a vacuum", importance="okay", weight=3),
    Point("p3", "Commits flush the log to disk", misconceptions=("Commits keep the log in memory",)),
)
RUBRIC = Rubric("databases/snapshots", "How do snapshots isolate transactions?", POINTS)
GOOD = "Readers never wait for writers. Old versions are removed by a vacuum. Commits flush the log to disk."
EMBEDDER = HashingEmbedder()


def grader_of(
    kept_rubrics: int = 256, inline_index: Callable[[IndexedRubric, str], RubricIndex] = InlineRubricIndex
) -> Grader:
    return Grader(
        embedder=EMBEDDER,
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=read_calibration(),
        index=InlineRubricIndex(index_rubric(RUBRIC, EMBEDDER), EMBEDDER.fingerprint),
        inline_index=inline_index,
        kept_rubrics=kept_rubrics,
    )


GRADER = grader_of()


def test_an_indexed_question_is_marked_by_its_rubric() -> None:
    grade = GRADER.grade(GradeRequest(GOOD, question_id=RUBRIC.id, id="row 7"))
    assert (grade.id, grade.question_id, grade.rubric_version) == ("row 7", RUBRIC.id, RUBRIC.version)
    assert [(one.id, one.text, one.importance, one.weight) for one in grade.points] == [
        (one.id, one.statement, one.importance, one.weight) for one in POINTS
    ]
    assert [one.status for one in grade.points] == ["covered"] * 3
    assert (grade.score, grade.verdict, grade.vital_coverage) == (100.0, "correct", 1.0)
    assert (grade.missing, grade.contradicted, grade.flags) == ((), (), ())


def test_the_parts_of_a_grade_agree() -> None:
    answer = "Readers never wait for writers. Commits keep the log in memory."
    grade = GRADER.grade(GradeRequest(answer, question_id=RUBRIC.id))
    assert [one.status for one in grade.points] == ["covered", "missing", "contradicted"]
    # One of three points; weights 1, 3 and 1. Of the vital ones, one of two.
    assert (grade.score, grade.vital_coverage, grade.verdict) == (20.0, 0.5, "contradictory")
    assert grade.missing == (POINTS[1].text,)
    assert grade.contradicted == (POINTS[2].text,)
    assert "Point p3 is contradicted." in grade.review_reasons
    assert grade.needs_review
    assert "Old versions are removed by a vacuum" in grade.feedback
    confidences = [one.confidence * one.weight for one in grade.points]
    assert grade.confidence == pytest.approx(sum(confidences) / 5, abs=1e-4)


def test_a_grade_names_everything_that_decided() -> None:
    versions = GRADER.grade(GradeRequest("Yes.", points=POINTS)).grader
    assert versions == GRADER.versions
    assert (versions.markscheme, versions.embedder) == (__version__, EMBEDDER.fingerprint)
    assert versions.calibration == GRADER.calibration.name
    assert versions.splitter.endswith(GRADER.splitter.version)
    assert versions.verifier is None


def test_points_of_the_request_mark_as_those_of_the_index() -> None:
    indexed = GRADER.grade(GradeRequest(GOOD, question_id=RUBRIC.id))
    inline = GRADER.grade(GradeRequest(GOOD, points=POINTS, question=RUBRIC.question))
    assert inline.question_id == INLINE
    assert (inline.points, inline.score, inline.rubric_version) == (
        indexed.points,
        indexed.score,
        indexed.rubric_version,
    )


def test_a_sample_answer_marks_itself_as_complete() -> None:
    grade = GRADER.grade(GradeRequest(GOOD, sample_answers=(GOOD,)))
    assert len(grade.points) == 3
    assert (grade.score, grade.verdict) == (100.0, "correct")


def test_the_best_of_several_sample_answers_counts() -> None:
    other = "Museums open late on Sundays. Tickets are sold at the door."
    alone = GRADER.grade(GradeRequest(GOOD, sample_answers=(GOOD,)))
    for samples in ((GOOD, other), (other, GOOD)):
        assert GRADER.grade(GradeRequest(GOOD, sample_answers=samples)) == alone


def test_a_sample_answer_hides_no_word_behind_its_typography() -> None:
    typeset = "The opti\u00admiser doesn\u2019t re\u200bﬁne its momentum."
    plain = "The optimiser doesn't refine its momentum."
    for sample, answer in ((typeset, plain), (plain, typeset)):
        assert GRADER.grade(GradeRequest(answer, sample_answers=(sample,))).score == 100


def test_points_that_are_missing_altogether() -> None:
    grade = GRADER.grade(GradeRequest("", question_id=RUBRIC.id))
    assert (grade.score, grade.verdict, grade.vital_coverage) == (0.0, "incorrect", 0.0)
    assert grade.missing == tuple(one.statement for one in POINTS)
    assert [flag.code for flag in grade.flags] == ["empty_answer"]


@pytest.mark.parametrize(
    "ways",
    [
        GradeRequest("x"),
        GradeRequest("x", question_id=RUBRIC.id, points=POINTS),
        GradeRequest("x", points=POINTS, sample_answers=(GOOD,)),
        GradeRequest("x", question_id=RUBRIC.id, points=POINTS, sample_answers=(GOOD,)),
    ],
)
def test_one_way_to_mark_and_no_other(ways: GradeRequest) -> None:
    for work in (GRADER.grade, GRADER.measure):
        with pytest.raises(InputError, match=r"^Give exactly one of question_id, points and sample_answer\.$"):
            work(ways)


def test_a_question_that_is_not_indexed() -> None:
    with pytest.raises(UnknownQuestionError):
        GRADER.grade(GradeRequest(GOOD, question_id="databases/unknown"))


@pytest.mark.parametrize(
    ("request_", "pointer"),
    [
        (GradeRequest("x", points=()), "/points"),
        (GradeRequest("x", sample_answers=()), "/sample_answer"),
        (GradeRequest("x", sample_answers=("",)), "/sample_answer"),
        (GradeRequest("x", sample_answers=(GOOD, "?!\n…")), "/sample_answer"),
    ],
)
def test_nothing_to_mark_by(request_: GradeRequest, pointer: str) -> None:
    with pytest.raises(EmptyRubricError) as caught:
        GRADER.grade(request_)
    assert caught.value.pointer == pointer


LONG = "word " * (EMBEDDER.max_tokens + 1)


@pytest.mark.parametrize(
    "point",
    [Point("p4", LONG), Point("p4", "short", alternatives=(LONG,)), Point("p4", "short", misconceptions=(LONG,))],
)
def test_a_point_that_is_too_long_is_named(point: Point) -> None:
    with pytest.raises(
        InputError, match=r"has 255 tokens; the model reads 254 as one idea: 'word .*Split it"
    ) as caught:
        GRADER.grade(GradeRequest(GOOD, points=(*POINTS, point)))
    assert caught.value.pointer == "/points/3"


def test_a_drafted_point_that_is_too_long_is_of_the_sample_answer() -> None:
    with pytest.raises(InputError, match="A point has") as caught:
        GRADER.grade(GradeRequest(GOOD, sample_answers=("a-" * 290,)))
    assert caught.value.pointer == "/sample_answer"


def test_a_rubric_is_indexed_once_while_it_is_kept() -> None:
    indexed: list[str] = []

    def count(rubric: IndexedRubric, fingerprint: str) -> RubricIndex:
        indexed.append(rubric.rubric.points[0].id)
        return InlineRubricIndex(rubric, fingerprint)

    grader = grader_of(kept_rubrics=2, inline_index=count)
    rubrics = {name: (Point(name, "Readers never wait"),) for name in "abc"}
    for name in "aabbaacb":
        grader.grade(GradeRequest(GOOD, points=rubrics[name]))
    assert indexed == ["a", "b", "c", "b"]
    assert len(grader._prepared) == 2


def test_a_point_that_changed_is_marked_anew() -> None:
    request = GradeRequest(GOOD, points=(Point("p1", "Readers never wait for writers"),))
    other = GradeRequest(GOOD, points=(Point("p1", "Museums open on Sundays"),))
    assert [GRADER.grade(one).points[0].status for one in (request, other, request)] == [
        "covered",
        "missing",
        "covered",
    ]


def test_measuring_gives_a_row_a_point_and_a_list_a_rubric() -> None:
    ((first, *_),) = GRADER.measure(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert first is not None
    assert set(GRADER.calibration.coverage.features) <= set(first.features)
    assert GRADER.calibration.coverage.probability(first.features) == pytest.approx(
        GRADER.grade(GradeRequest(GOOD, question_id=RUBRIC.id)).points[0].coverage, abs=1e-4
    )
    assert (first.claim, first.verification) == (Claim(RUBRIC.question, POINTS[0].text, GOOD), None)
    assert GRADER.measure(GradeRequest("", question_id=RUBRIC.id)) == [[None, None, None]]
    assert len(GRADER.measure(GradeRequest(GOOD, sample_answers=(GOOD, "Yes.")))) == 2


def test_matching_asks_for_the_mean_of_the_text() -> None:
    asked: list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = []

    class Watching(InlineRubricIndex):
        def match(self, query: np.ndarray[tuple[int, ...], np.dtype[np.float32]], limit: int) -> list[object]:  # type: ignore[override]  # gives back what it was asked
            asked.append(query)
            return [limit]

    grader = grader_of()
    grader.index = Watching(index_rubric(RUBRIC, EMBEDDER), EMBEDDER.fingerprint)
    assert grader.match("Readers wait. Writers wait.", limit=3) == [3]  # type: ignore[comparison-overlap]  # likewise
    (whole,) = EMBEDDER.embed(["Readers wait. Writers wait."])
    # Not the same: each sentence is brought to unit length before the mean.
    assert np.linalg.norm(asked[0]) == pytest.approx(1)
    assert asked[0] @ whole.vector > 0.98
    assert grader.match(" ?!") == []
    assert len(asked) == 1


@pytest.mark.parametrize("text", ["???", "…", " - "])
def test_a_point_without_a_word_is_named(text: str) -> None:
    points = (POINTS[0], Point("p2", text))
    with pytest.raises(EmptyRubricError, match="no word to look for") as caught:
        GRADER.grade(GradeRequest(GOOD, points=points))
    assert caught.value.pointer == "/points/1"


def test_the_order_of_requests_changes_no_grade() -> None:
    """The same texts as points and as a sample answer: each is marked in its own way, whichever came first."""
    text = "Readers never wait for writers."
    by_points = GradeRequest("Readers wait rarely.", points=(Point("p1", text),))
    by_sample = GradeRequest("Readers wait rarely.", sample_answers=(text,))

    one, other = grader_of(), grader_of()

    forth = [one.grade(by_points), one.grade(by_sample)]
    back = [other.grade(by_sample), other.grade(by_points)]
    assert forth == back[::-1]
    assert forth[0].points[0].coverage != forth[1].points[0].coverage
