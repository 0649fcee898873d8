from collections.abc import Sequence
from dataclasses import replace

import pytest

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import VerifierError
from markscheme.grading.logistic import Logistic
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Verifier
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.statements import index_rubric

POINTS = (
    Point("p1", "Readers see one snapshot of every table"),
    Point("p2", "Old versions are removed by a vacuum", importance="okay", weight=3),
    Point("p3", "Commits flush the log to disk", misconceptions=("Commits keep the log in memory",)),
)
RUBRIC = Rubric("databases/snapshots", "How do snap\u00adshots isolate transactions?", POINTS)
GOOD = "Readers see one snapshot of every table. Old versions are removed by a vacuum. Commits flush the log to disk."
EMBEDDER = HashingEmbedder()
CALIBRATION = Calibration(
    name="verified, by hand",
    coverage=Logistic(("match_passage", "supported", "not_contradicted"), (0.5, 0, 0), (0.5, 1, 1), (0.5, 1, 0.1), 0.0),
    contradiction=Logistic(("not_contradicted",), (0.0,), (1.0,), (-1.0,), 0.0),
    cuts=Cuts(covered=0.6, partial=0.3, contradicted=0.5),
)


class Listening(ScriptedVerifier):
    """Keeps the claims of every call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[Claim]] = []

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        self.calls.append(list(claims))
        return super().verify(claims)


def grader_of(verifier: Verifier | None) -> Grader:
    return Grader(
        embedder=EMBEDDER,
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=CALIBRATION if verifier else read_calibration(),
        index=InlineRubricIndex(index_rubric(RUBRIC, EMBEDDER), EMBEDDER.fingerprint),
        inline_index=InlineRubricIndex,
        verifier=verifier,
    )


GRADER = grader_of(ScriptedVerifier())


def test_every_point_is_decided_by_the_verifier() -> None:
    grade = GRADER.grade(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert [(one.status, one.decided_by) for one in grade.points] == [("covered", "verifier")] * 3
    assert (grade.score, grade.verdict) == (100.0, "correct")


def test_a_grade_names_the_verifier() -> None:
    grade = GRADER.grade(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert grade.grader == GRADER.versions
    assert grade.grader.verifier == ScriptedVerifier().fingerprint
    assert grade.grader.calibration == CALIBRATION.name


def test_what_the_verifier_denies_is_told_as_a_contradiction() -> None:
    grade = GRADER.grade(GradeRequest("Readers do not see one snapshot of every table.", question_id=RUBRIC.id))
    first = grade.points[0]
    assert (first.status, first.contradicts, first.credit, first.decided_by) == ("contradicted", None, 0.0, "verifier")
    assert [one.text for one in first.evidence] == ["Readers do not see one snapshot of every table."]
    assert (grade.contradicted, grade.verdict) == ((POINTS[0].text,), "contradictory")
    assert "Point p1 is contradicted." in grade.review_reasons


def test_a_listed_misconception_is_still_named() -> None:
    grade = GRADER.grade(GradeRequest("Commits keep the log in memory.", question_id=RUBRIC.id))
    assert (grade.points[2].status, grade.points[2].contradicts) == ("contradicted", POINTS[2].misconceptions[0])


def test_the_verifier_is_asked_once_an_answer_with_the_question_as_it_is_read() -> None:
    verifier = Listening()
    grader_of(verifier).grade(GradeRequest(GOOD, question_id=RUBRIC.id))
    ((*claims,),) = verifier.calls
    question = "How do snapshots isolate transactions?"
    assert claims[:3] == [Claim(question, point.text, GOOD) for point in POINTS]


def test_a_request_without_a_question_claims_without_one() -> None:
    verifier = Listening()
    grader_of(verifier).grade(GradeRequest(GOOD, points=POINTS[:1]))
    assert verifier.calls == [[Claim("", POINTS[0].text, GOOD)]]


def test_each_of_several_sample_answers_is_verified() -> None:
    verifier = Listening()
    grade = grader_of(verifier).grade(GradeRequest("Readers wait.", sample_answers=("Readers wait.", "Writers wait.")))
    assert [[claim.statement for claim in claims] for claims in verifier.calls] == [
        ["Readers wait."],
        ["Writers wait."],
    ]
    assert grade.points[0].text == "Readers wait."


def test_the_confidence_of_a_grade_is_that_of_its_points_by_weight() -> None:
    grade = GRADER.grade(GradeRequest("Readers see every table. A vacuum runs.", question_id=RUBRIC.id))
    expected = sum(one.confidence * one.weight for one in grade.points) / sum(one.weight for one in grade.points)
    assert grade.confidence == pytest.approx(expected, abs=1e-4)
    assert 0 < grade.confidence < 1


def test_measuring_tells_what_the_verifier_said() -> None:
    ((first, *_),) = GRADER.measure(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert first is not None
    assert first.verification == Verification(1.0, 0.0)
    assert set(CALIBRATION.coverage.features) <= set(first.features)


def test_an_empty_answer_is_graded_beside_a_verifier() -> None:
    grade = GRADER.grade(GradeRequest("", question_id=RUBRIC.id))
    assert (grade.score, [one.decided_by for one in grade.points]) == (0.0, ["similarity"] * 3)


def test_a_verifier_that_fails_is_no_grade() -> None:
    class Broken(ScriptedVerifier):
        def verify(self, claims: Sequence[Claim]) -> list[Verification]:
            message = f"no verdict on {len(claims)} claims"
            raise VerifierError(message)

    with pytest.raises(VerifierError, match="no verdict on 3 claims"):
        grader_of(Broken()).grade(GradeRequest("Yes.", question_id=RUBRIC.id))


def test_a_calibration_of_similarity_alone_ignores_what_a_verifier_says() -> None:
    alone, beside = grader_of(None), replace(GRADER, calibration=read_calibration())
    request = GradeRequest("Readers see every table. A vacuum removes old versions.", question_id=RUBRIC.id)
    one, other = alone.grade(request), beside.grade(request)
    assert [point.coverage for point in one.points] == [point.coverage for point in other.points]
    assert (one.score, one.verdict) == (other.score, other.verdict)


def test_a_verifier_that_the_calibration_does_not_read_is_not_asked_and_not_named() -> None:
    """As with a profile that was fitted while the verifier was off."""
    listening = Listening()
    similarity = read_calibration()
    grader = replace(grader_of(listening), profiles=lambda _name: similarity)
    request = GradeRequest("Readers see every table. Commits keep the log in memory.", question_id=RUBRIC.id)
    by_profile = grader.grade(replace(request, profile="ours"))
    assert listening.calls == []
    assert {point.decided_by for point in by_profile.points} == {"similarity"}
    assert by_profile.grader.verifier is None
    assert by_profile == grader_of(None).grade(request)
    usual = grader.grade(request)
    assert len(listening.calls) == 1
    assert usual.grader.verifier == listening.fingerprint


def test_what_was_read_is_graded_by_another_calibration_as_if_it_were_set() -> None:
    listening = Listening()
    grader = grader_of(listening)
    requests = [
        GradeRequest("Readers see every table. Commits keep the log in memory.", question_id=RUBRIC.id),
        GradeRequest("Readers wait.", sample_answers=("Readers wait for writers.",)),
        GradeRequest("", question_id=RUBRIC.id),
    ]
    others = [read_calibration(), read_calibration(with_verifier=True), CALIBRATION]
    for request in requests:
        (read,) = grader.read(request)
        for other in others:
            assert read.by(other).grade() == replace(grader, calibration=other).grade(request)
        assert read.grade() == grader.grade(request)


def test_what_was_read_holds_no_vectors() -> None:
    """`calibrate` keeps thousands of these."""
    (read,) = GRADER.read(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert read.answer.vectors.size == read.answer.tokens.size == 0
    ((first, *_),) = GRADER.measure(GradeRequest(GOOD, question_id=RUBRIC.id))
    assert first is not None
    assert first.answer.tokens.size == first.alignment.statement.embedding.tokens.size == 0
    assert read.scheme.points == ()
