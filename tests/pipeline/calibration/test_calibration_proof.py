"""What the proof says of two gradings whose figures are known."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from markscheme.agreement.gold import Gold, Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade, OurPoint
from markscheme.agreement.resampling import Figure
from markscheme.pipeline.calibration_proof import Proof, Side, prove

ANSWERS, QUESTIONS = 40, 10
GROUPS = [f"q{number % QUESTIONS}" for number in range(ANSWERS)]
FOLDS = [number % 2 for number in range(ANSWERS)]


def judged(golds: Sequence[Gold]) -> list[JudgedAnswer]:
    return [
        JudgedAnswer(f"a{number}", "", ("A point.",), are_points=True, group=GROUPS[number], gold=gold)
        for number, gold in enumerate(golds)
    ]


def by_coverage(coverages: Sequence[float], cut: float = 0.5) -> list[OurGrade]:
    return [
        OurGrade(
            100 * one,
            "correct" if one >= cut else "incorrect",
            (OurPoint("A point.", "covered" if one >= cut else "missing", one, 0.9),),
            0.9,
        )
        for one in coverages
    ]


def golds_of(kind: Kind, made: Sequence[float]) -> list[Gold]:
    if kind == "points":
        return [Gold(points=(one,)) for one in made]
    if kind == "label":
        return [Gold(label="correct" if one > 0.5 else "incorrect") for one in made]
    return [Gold(score=one) for one in made]


MADE = [float(number % 4 < 2) for number in range(ANSWERS)]
UNSURE = [0.52 if made else 0.48 for made in MADE]
SURE = [0.9 if made else 0.1 for made in MADE]


@pytest.mark.parametrize(("kind", "figure"), [("points", "auc"), ("score", "pearson"), ("label", "auc")])
def test_an_offset_of_a_fold_costs_the_order_nothing(kind: Kind, figure: str) -> None:
    """In each fold the order is right, and pooled it is not."""
    shifted = [one / 4 + (0.7 if fold else 0.0) for one, fold in zip(SURE, FOLDS, strict=True)]
    proof = prove(kind, judged(golds_of(kind, MADE)), by_coverage(SURE), by_coverage(shifted), FOLDS)
    assert proof.before.figures[figure] == pytest.approx(1)
    assert proof.after.figures[figure] == pytest.approx(1)
    pooled = prove(kind, judged(golds_of(kind, MADE)), by_coverage(SURE), by_coverage(shifted), [0] * ANSWERS)
    assert (pooled.after.figures[figure] or 0) < 0.8


def test_folds_count_by_what_was_decided_in_them() -> None:
    """A quarter of the questions has its order turned round."""
    folds = [int(group in {"q0", "q1"}) for group in GROUPS]
    turned = [1 - one if fold else one for one, fold in zip(SURE, folds, strict=True)]
    proof = prove("points", judged(golds_of("points", MADE)), by_coverage(SURE), by_coverage(turned), folds)
    assert proof.after.figures["auc"] == pytest.approx(0.8)
    assert "auc" in proof.worse


def test_a_fold_that_is_undefined_on_one_side_counts_on_neither() -> None:
    flat = [0.5 if fold else one for one, fold in zip(SURE, FOLDS, strict=True)]
    noisy = [1 - one if fold else one for one, fold in zip(SURE, FOLDS, strict=True)]
    proof = prove("score", judged(golds_of("score", MADE)), by_coverage(noisy), by_coverage(flat), FOLDS)
    assert proof.before.figures["pearson"] == pytest.approx(1)
    assert proof.after.figures["pearson"] == pytest.approx(1)


@pytest.mark.parametrize(("kind", "loss"), [("points", "log_loss"), ("score", "rmse")])
def test_a_gain_on_every_question_is_no_chance(kind: Kind, loss: str) -> None:
    proof = prove(kind, judged(golds_of(kind, MADE)), by_coverage(UNSURE), by_coverage(SURE), FOLDS)
    assert (proof.loss, proof.objections, proof.worse) == (loss, (), ())
    assert proof.loss_change.high is not None
    assert proof.loss_change.high < 0
    assert proof.loss_change.value == pytest.approx(proof.after.loss - proof.before.loss)


def test_the_loss_of_points_is_their_log_loss() -> None:
    proof = prove("points", judged(golds_of("points", MADE)), by_coverage(UNSURE), by_coverage(SURE), FOLDS)
    assert proof.before.loss == pytest.approx(-np.log(0.52))
    assert proof.after.loss == pytest.approx(-np.log(0.9))


def test_the_loss_of_labels_is_the_share_of_wrong_verdicts() -> None:
    wrong = [1 - one if number < 10 else one for number, one in enumerate(SURE)]
    proof = prove("label", judged(golds_of("label", MADE)), by_coverage(wrong), by_coverage(SURE), FOLDS)
    assert proof.before.loss == pytest.approx(0.25)
    assert proof.after.loss == 0


def test_a_gain_of_one_question_alone_may_be_chance() -> None:
    """All the gain is made on one question; the others lose a little."""
    after = [0.95 if made else 0.05 for made in MADE]
    before = [
        (1 - one if group == "q0" else one + (0.01 if made else -0.01))
        for one, group, made in zip(after, GROUPS, MADE, strict=True)
    ]
    proof = prove("points", judged(golds_of("points", MADE)), by_coverage(before), by_coverage(after), FOLDS)
    assert proof.after.loss < proof.before.loss
    (objection,) = proof.objections
    assert "log-loss of coverage" in objection
    assert "may be chance" in objection


def test_agreement_that_falls_is_told_and_refused_though_the_loss_falls() -> None:
    """Coverages come nearer to the truth, and some of them fall on the wrong side of the cut."""
    before = [0.501 if made else 0.499 for made in MADE]
    after = [0.49 if number % 10 == 0 else one for number, one in enumerate(SURE)]
    proof = prove("points", judged(golds_of("points", MADE)), by_coverage(before), by_coverage(after), FOLDS)
    assert proof.loss_change.high is not None
    assert proof.loss_change.high < 0
    assert {"accuracy", "kappa", "macro_f1"} <= set(proof.worse)
    assert "log_loss" not in proof.worse
    (objection,) = proof.objections
    assert "kappa falls from 1.000 to 0.900" in objection


SIDE = Side(0.5, {"kappa": 0.6, "ece": 0.1})
PROOF = Proof("points", SIDE, replace(SIDE, loss=0.4), Figure(-0.1, -0.2, -0.05), Figure(0.0, -0.1, 0.1))


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (Figure(-0.04, -0.2, 0.1), False),
        (Figure(-0.06, -0.2, 0.1), True),
        (Figure(-0.02, -0.04, -0.001), True),
        (Figure(None), False),
        (Figure(-0.04), False),
    ],
)
def test_how_far_agreement_may_fall(change: Figure, *, refused: bool) -> None:
    assert bool(replace(PROOF, agreement_change=change).objections) is refused


@pytest.mark.parametrize("change", [Figure(-0.1, -0.2, 0.01), Figure(-0.1, -0.2, 0.0), Figure(-0.1)])
def test_a_loss_whose_fall_may_be_chance_is_refused(change: Figure) -> None:
    assert "may be chance" in replace(PROOF, loss_change=change).objections[0]


@pytest.mark.parametrize(
    ("name", "before", "after", "worse"),
    [
        ("accuracy", 0.8, 0.79, True),
        ("accuracy", 0.8, 0.81, False),
        ("accuracy", 0.8004, 0.8001, False),
        ("accuracy", None, 0.1, False),
        ("accuracy", 0.1, None, False),
        ("ece", 0.05, 0.06, True),
        ("ece", 0.06, 0.05, False),
        ("contradictory_passed", 0.1, 0.2, True),
        ("false_flags", 0.1, 0.2, True),
        ("offset", -0.1, 0.05, False),
        ("offset", 0.05, -0.1, True),
    ],
)
def test_worse_is_what_goes_the_wrong_way(name: str, before: float | None, after: float | None, *, worse: bool) -> None:
    proof = replace(PROOF, before=Side(0.5, {name: before}), after=Side(0.4, {name: after}))
    assert proof.worse == ((name,) if worse else ())


def test_the_loss_of_scores_is_told_once() -> None:
    proof = replace(PROOF, kind="score", before=Side(0.2, {"rmse": 0.2}), after=Side(0.3, {"rmse": 0.3}))
    assert proof.worse == ("rmse",)
    assert "does not fall" in proof.objections[0]
