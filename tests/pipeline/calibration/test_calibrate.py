"""Calibrating as a whole: it helps on questions that it never saw, or it is refused."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.scipy_fitting import ScipyFitter
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import OurGrade
from markscheme.grading.embedding import Embedding
from markscheme.grading.errors import CalibrationRefusedError, IndexMissingError
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.calibrate import CalibrationReport, Options, calibrate, refuse_unless_it_helps
from markscheme.pipeline.calibration_answers import LeftOut, ReadAnswer
from markscheme.pipeline.calibration_family import Scaled
from markscheme.pipeline.calibration_fit import fit
from markscheme.pipeline.calibration_proof import folds_of, prove
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Verifier

MakeRows = Callable[..., list[JudgedRequest]]
ReadAll = Callable[[Grader, Sequence[JudgedRequest]], list[ReadAnswer]]
Rng = np.random.Generator


def leniently(_rng: Rng, shares: Sequence[float]) -> Gold:
    """A third of a point is the point."""
    return Gold(points=tuple(float(share > 0.3) for share in shares))


def by_score(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(score=min(1.0, float(np.mean(shares)) + 0.25))


def by_label(_rng: Rng, shares: Sequence[float]) -> Gold:
    return Gold(label="correct" if min(shares) > 0.3 else "incorrect")


def run(rows: list[JudgedRequest], grader: Grader, **options: object) -> CalibrationReport:
    return calibrate(rows, grader, ScipyFitter(), name="ours", options=Options(**options))  # type: ignore[arg-type]  # as named


def test_points_are_marked_better_on_questions_that_were_not_seen(make_rows: MakeRows, grader: Grader) -> None:
    counted: list[LeftOut | None] = []
    rows = make_rows(40, leniently, questions=4)
    report = calibrate(rows, grader, ScipyFitter(), name="ours", options=Options(folds=10), count=counted.append)
    assert (report.kind, report.proof.loss, report.answers, report.questions, report.folds) == (
        "points",
        "log_loss",
        40,
        4,
        4,
    )
    assert report.helps
    assert report.proof.after.loss < report.proof.before.loss - 0.02
    assert report.calibration.name == "ours"
    assert report.base == grader.calibration
    assert report.scale
    assert report.scale[1] > 0.1
    assert {"accuracy", "macro_f1", "kappa", "ece"} <= report.proof.after.figures.keys()
    assert counted == [None] * 40
    refuse_unless_it_helps(report)


def test_the_same_input_gives_the_same_calibration(make_rows: MakeRows, grader: Grader) -> None:
    rows = make_rows(30, leniently, questions=6)
    assert run(rows, grader, folds=2, seed=7) == run(rows, grader, folds=2, seed=7)


def test_every_question_is_graded_by_what_was_fitted_to_the_others(
    make_rows: MakeRows, read_all: ReadAll, grader: Grader
) -> None:
    rows = make_rows(30, leniently, questions=3)
    report = run(rows, grader)
    base = grader.calibration
    answers = read_all(grader, rows)
    grades = []
    folds = folds_of([answer.judged.group for answer in answers], 5, 0)
    for answer in answers:
        others = [one for one in answers if one.judged.group != answer.judged.group]
        fitted, _ = fit(others, "points", base, Scaled(base), ScipyFitter())
        grades.append(OurGrade.of(replace(grader, calibration=fitted).grade(answer.request)))
    before = [OurGrade.of(grader.grade(answer.request)) for answer in answers]
    assert report.proof == prove("points", [answer.judged for answer in answers], before, grades, folds)
    whole, _ = fit(answers, "points", base, Scaled(base), ScipyFitter())
    assert report.calibration == replace(whole, name="ours")


@pytest.mark.parametrize("by_sample", [False, True])
def test_scores_are_met_better(make_rows: MakeRows, grader: Grader, *, by_sample: bool) -> None:
    report = run(make_rows(40, by_score, by_sample=by_sample), grader)
    assert (report.kind, report.proof.loss) == ("score", "rmse")
    assert report.helps
    assert report.proof.before.figures["rmse"] == pytest.approx(report.proof.before.loss)
    assert report.proof.after.figures["rmse"] == pytest.approx(report.proof.after.loss)
    assert report.proof.after.loss < 0.98 * report.proof.before.loss


def test_labels_are_met_better(make_rows: MakeRows, grader: Grader) -> None:
    report = run(make_rows(120, by_label), grader)
    assert (report.kind, report.proof.loss) == ("label", "wrong_verdicts")
    assert report.helps
    assert report.proof.before.figures["accuracy"] == pytest.approx(1 - report.proof.before.loss)


class Counting(Verifier):
    """Asks another verifier, and remembers how often about each claim."""

    def __init__(self, verifier: Verifier) -> None:
        self.verifier = verifier
        self.asked: Counter[Claim] = Counter()

    @property
    def fingerprint(self) -> str:
        return self.verifier.fingerprint

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        self.asked.update(claims)
        return self.verifier.verify(claims)


def test_weights_are_fitted_to_what_a_verifier_says_which_is_asked_once_a_claim(
    make_rows: MakeRows, verifying: Grader
) -> None:
    assert verifying.verifier
    counting = Counting(verifying.verifier)
    report = run(make_rows(40, leniently), replace(verifying, verifier=counting), weights=True)
    assert report.helps
    assert report.scale is None
    assert report.calibration.coverage.weights != report.base.coverage.weights
    assert report.calibration.contradiction == report.base.contradiction
    assert set(counting.asked.values()) == {1}


def test_a_loss_that_does_not_fall_is_no_help(make_rows: MakeRows, grader: Grader) -> None:
    report = run(make_rows(40, leniently), grader)
    same = replace(report, proof=replace(report.proof, after=report.proof.before))
    assert not same.helps
    figure = f"{same.proof.after.loss:.4f}"
    with pytest.raises(CalibrationRefusedError, match=rf"log-loss.* is {figure} after and {figure} before.*--force"):
        refuse_unless_it_helps(same)


def test_marks_that_differ_from_question_to_question_are_refused(make_rows: MakeRows, grader: Grader) -> None:
    """What one question teaches is wrong for the other."""
    rows = [
        replace(
            row,
            judged=replace(row.judged, gold=Gold(points=((1.0,) * 3 if row.judged.group == "q0" else (0.0,) * 3))),
        )
        for row in make_rows(60, leniently, questions=2)
    ]
    with pytest.raises(CalibrationRefusedError, match="not shown to help"):
        refuse_unless_it_helps(run(rows, grader))


def test_too_few_answers_are_refused(make_rows: MakeRows, grader: Grader) -> None:
    with pytest.raises(CalibrationRefusedError, match=r"^29 answers .*takes 30"):
        run(make_rows(29, leniently), grader)
    with pytest.raises(CalibrationRefusedError, match=r"^0 answers .*points, score or label"):
        run(make_rows(1, lambda _rng, _shares: Gold(label="correct"))[:0], grader)


def test_answers_to_one_question_are_refused(make_rows: MakeRows, grader: Grader) -> None:
    with pytest.raises(CalibrationRefusedError, match="one question"):
        run(make_rows(30, leniently, questions=1), grader)


@pytest.mark.parametrize(
    "gold", [Gold(points=(1.0, None, 0.6)), Gold(points=(0.0, 0.5, 0.1)), Gold(score=0.4), Gold(label="incorrect")]
)
def test_one_mark_for_all_is_refused(make_rows: MakeRows, grader: Grader, gold: Gold) -> None:
    with pytest.raises(CalibrationRefusedError, match="one and the same mark"):
        run(make_rows(30, lambda _rng, _shares: gold), grader)


def test_what_cannot_be_graded_is_left_out_and_told(make_rows: MakeRows, grader: Grader) -> None:
    rows = make_rows(32, leniently)
    unknown = replace(rows[4].request, points=None, question_id="no/such", id="row 5")
    rows[4] = replace(rows[4], request=unknown, judged=replace(rows[4].judged, name="row 5"))
    # The question has two points, and people judged three.
    indexed = replace(rows[6].request, points=None, question_id="made/up")
    rows[6] = replace(rows[6], request=indexed, judged=replace(rows[6].judged, references=()))
    report = run(rows, grader)
    assert report.answers == 30
    first, second = report.left_out
    assert [(one.name, one.line) for one in report.left_out] == [("row 5", 5), ("line 7", 7)]
    assert "no/such" in first.message
    assert "2" in second.message


def test_the_kind_that_most_rows_have_is_fitted(make_rows: MakeRows, grader: Grader) -> None:
    nothing = replace(make_rows(1, leniently)[0], line=99)
    nothing = replace(nothing, judged=replace(nothing.judged, gold=Gold(points=(None, None, None))))
    report = run([*make_rows(30, by_score), *make_rows(10, leniently), nothing], grader)
    assert (report.kind, report.answers) == ("score", 30)
    *others, last = report.left_out
    assert len(others) == 10
    assert all("did not judge it by score" in one.message for one in others)
    assert (last.line, "none of them" in last.message) == (99, True)


def test_why_rows_are_left_out_is_told_though_all_is_refused(make_rows: MakeRows, grader: Grader) -> None:
    rows = make_rows(30, leniently)
    rows[3] = replace(rows[3], request=replace(rows[3].request, points=None, question_id="no/such"))
    counted: list[LeftOut | None] = []
    with pytest.raises(CalibrationRefusedError, match="takes 30"):
        calibrate(rows, grader, ScipyFitter(), name="ours", options=Options(), count=counted.append)
    assert [one.line for one in counted if one] == [4]


def test_a_defect_costs_the_answer_that_brings_it_to_light(
    make_rows: MakeRows, grader: Grader, caplog: pytest.LogCaptureFixture
) -> None:
    rows = make_rows(31, leniently)

    class Defective(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Embedding]:
            assert "Boom" not in texts
            return super().embed(texts)

    rows[3] = replace(rows[3], request=replace(rows[3].request, answer="Boom"))
    report = run(rows, replace(grader, embedder=Defective()))
    assert [one.line for one in report.left_out] == [4]
    assert "the log says why" in report.left_out[0].message
    assert "could not be graded" in caplog.text


def test_every_answer_is_read_once(make_rows: MakeRows, grader: Grader) -> None:
    embedded: Counter[str] = Counter()

    class Counted(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Embedding]:
            embedded.update(texts)
            return super().embed(texts)

    rows = make_rows(30, lambda _rng, shares: Gold(score=float(np.mean(shares))), by_sample=True, questions=3)
    # Apart from one another, so that what is embedded twice was read twice.
    rows = [
        replace(row, request=replace(row.request, answer=f"Row{row.line} {row.request.answer.lower()}")) for row in rows
    ]
    run(rows, replace(grader, embedder=Counted()), folds=3)
    of_answers = {text: count for text, count in embedded.items() if text.startswith("Row")}
    assert len(of_answers) == 30
    assert set(of_answers.values()) == {1}


def test_a_profile_in_a_row_does_not_count(make_rows: MakeRows, grader: Grader) -> None:
    rows = make_rows(30, leniently)
    named = [replace(row, request=replace(row.request, profile="other")) for row in rows]
    assert run(named, grader) == run(rows, grader)


def test_an_index_that_is_needed_and_not_there_stops_it(make_rows: MakeRows, grader: Grader) -> None:
    rows = make_rows(30, leniently)
    asks = replace(rows[0].request, points=None, question_id="made/up")

    class Refused:
        def indexed(self, question_id: str) -> object:
            raise IndexMissingError(question_id)

    broken = replace(grader, index=Refused())  # type: ignore[arg-type]  # only what is asked
    with pytest.raises(IndexMissingError):
        run([replace(rows[0], request=asks), *rows[1:]], broken)


@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=60), st.integers(2, 12), st.integers(0, 99))
def test_folds_hold_whole_questions(groups: list[str], folds: int, seed: int) -> None:
    found = folds_of(groups, folds, seed)
    assert found == folds_of(groups, folds, seed)
    assert len(set(zip(groups, found, strict=True))) == len(set(groups))
    assert set(found) == set(range(min(folds, len(set(groups)))))


def test_folds_are_about_equally_large_and_drawn_by_the_seed() -> None:
    groups = [f"q{number % 20}" for number in range(200)]
    assert Counter(folds_of(groups, 5, 0)) == dict.fromkeys(range(5), 40)
    assert folds_of(groups, 5, 0) != folds_of(groups, 5, 1)
