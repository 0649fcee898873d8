"""Somebody's own graded answers to a calibration that marks as they do, and proof that it does."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from markscheme.agreement.evaluate import evaluate
from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.of_points import MAJORITY
from markscheme.agreement.results import MARKSCHEME
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import CalibrationRefusedError, InputError
from markscheme.pipeline.calibration_answers import ReadAnswer, read_answer
from markscheme.pipeline.calibration_family import Family, Scaled, Weighed
from markscheme.pipeline.calibration_fit import fit
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Fitter
from markscheme.pipeline.remembering import RememberingVerifier

LEAST_ANSWERS = 30
LEAST_QUESTIONS = 2
KINDS: tuple[Kind, ...] = ("points", "score", "label")
# Grades are rounded to four digits; none is taken for certain.
_CERTAIN = 5e-5

Loss = Literal["log_loss", "rmse", "wrong_verdicts"]
LOSSES: dict[Kind, Loss] = {"points": "log_loss", "score": "rmse", "label": "wrong_verdicts"}


@dataclass(frozen=True, slots=True)
class Options:
    """How a calibration is fitted: `weights` refits every feature; `folds` and `seed` are those of the proof."""

    weights: bool = False
    folds: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """How grades by one calibration agree with people on answers to questions that it never saw.

    `loss` is what must fall: of points the mean log-loss of their coverage, of scores the RMSE, of labels the share of
    verdicts that call right what is not or the reverse. `figures` are by name as `evaluate` has them.
    """

    loss: float
    figures: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What was fitted and what it is worth.

    `scale` is the slope and the offset of the log-odds, None where the weights were fitted. `left_out` says, by name of
    the answer, why it could not be used.
    """

    calibration: Calibration
    base: Calibration
    kind: Kind
    answers: int
    questions: int
    folds: int
    scale: tuple[float, float] | None
    before: Side
    after: Side
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def loss(self) -> Loss:
        """What `Side.loss` is."""
        return LOSSES[self.kind]

    @property
    def helps(self) -> bool:
        """Whether held-out answers are marked more as people marked them."""
        return self.after.loss < self.before.loss


def calibrate(  # noqa: PLR0913 - the parts, and how they are used
    rows: Sequence[JudgedRequest],
    grader: Grader,
    fitter: Fitter,
    *,
    name: str,
    options: Options,
    count: Callable[[], None] = lambda: None,
) -> CalibrationReport:
    """Fit a calibration to what people decided, starting from the one of the grader.

    Each fold of the questions is graded by a calibration that was fitted to the others; what is returned was fitted to
    all. Where rows hold several kinds of judgement, the kind that most of them have is fitted.

    Args:
        rows: Answers that people judged.
        grader: Grades by the calibration in use.
        fitter: Finds the numbers that fit best.
        name: What the calibration shall be called.
        options: What is fitted, and how the proof is done.
        count: Called twice for each answer, when it is read and when it is graded anew.

    Raises:
        CalibrationRefusedError: The answers are too few or too alike to carry one.
    """
    kind = max(KINDS, key=lambda one: sum(_has(row.judged, one) for row in rows))
    grader = replace(grader, verifier=RememberingVerifier(grader.verifier) if grader.verifier else None)
    answers, left_out = _read([row for row in rows if _has(row.judged, kind)], grader, count)
    groups = [answer.judged.group for answer in answers]
    _refuse_what_cannot_carry(answers, kind, groups)
    base = grader.calibration
    family: Family = Weighed(base) if options.weights else Scaled(base)
    folds = folds_of(groups, options.folds, options.seed)
    grades: list[OurGrade | None] = [None] * len(answers)
    for fold in range(max(folds) + 1):
        seen = [answer for answer, at in zip(answers, folds, strict=True) if at != fold]
        held = [place for place, at in enumerate(folds) if at == fold]
        judge = replace(grader, calibration=fit(seen, kind, base, family, fitter)[0])
        for place in held:
            grades[place] = OurGrade.of(judge.grade(answers[place].request))
            count()
    fitted, numbers = fit(answers, kind, base, family, fitter)
    judged = [answer.judged for answer in answers]
    return CalibrationReport(
        calibration=replace(fitted, name=name),
        base=base,
        kind=kind,
        answers=len(answers),
        questions=len(set(groups)),
        folds=max(folds) + 1,
        scale=None if options.weights else (float(numbers[0]), float(numbers[1])),
        before=_side(kind, judged, [answer.grade for answer in answers]),
        after=_side(kind, judged, [grade for grade in grades if grade]),
        left_out=left_out,
    )


def folds_of(groups: Sequence[str], folds: int, seed: int) -> list[int]:
    """The fold of each answer, from 0: whole groups, drawn by the seed, the largest first into the smallest fold.

    One group a fold where there are fewer groups than folds.
    """
    sizes = Counter(groups)
    names = sorted(sizes)
    drawn = [names[at] for at in np.random.default_rng(seed).permutation(len(names))]
    filled = [0] * min(folds, len(names))
    fold_by_group: dict[str, int] = {}
    for name in sorted(drawn, key=lambda one: -sizes[one]):
        fold_by_group[name] = filled.index(min(filled))
        filled[fold_by_group[name]] += sizes[name]
    return [fold_by_group[group] for group in groups]


def refuse_unless_it_helps(report: CalibrationReport) -> None:
    """Raise CalibrationRefusedError where held-out answers are not marked better than before."""
    if report.helps:
        return
    words = {"log_loss": "log-loss of coverage", "rmse": "RMSE of scores", "wrong_verdicts": "share of wrong verdicts"}
    message = (
        f"On held-out questions the {words[report.loss]} is {report.after.loss:.4f} after and "
        f"{report.before.loss:.4f} before: this calibration does not help, and nothing was saved. "
        "Give more graded answers, to more questions, or insist with --force."
    )
    raise CalibrationRefusedError(message)


def _has(judged: JudgedAnswer, kind: Kind) -> bool:
    gold = judged.gold
    return {"points": gold.points, "score": gold.score, "label": gold.label}[kind] is not None


def _read(
    rows: Sequence[JudgedRequest], grader: Grader, count: Callable[[], None]
) -> tuple[list[ReadAnswer], tuple[tuple[str, str], ...]]:
    answers: list[ReadAnswer] = []
    left_out: list[tuple[str, str]] = []
    for row in rows:
        try:
            answers.append(read_answer(grader, row))
        except InputError as error:
            left_out.append((row.judged.name, str(error)))
        count()
    return answers, tuple(left_out)


def _refuse_what_cannot_carry(answers: Sequence[ReadAnswer], kind: Kind, groups: Sequence[str]) -> None:
    if len(answers) < LEAST_ANSWERS:
        message = f"{len(answers)} graded answers can be used; a calibration takes {LEAST_ANSWERS}. Grade more of them."
        raise CalibrationRefusedError(message)
    if len(set(groups)) < LEAST_QUESTIONS:
        message = (
            f"All {len(answers)} answers are to one question, so nothing shows what would hold for others. Give answers "
            f"to {LEAST_QUESTIONS} questions or more, told apart by question_id, question or group."
        )
        raise CalibrationRefusedError(message)
    if len(_marks(answers, kind)) < 2:  # noqa: PLR2004 - one mark tells nothing apart
        message = (
            f"People gave one and the same mark to all {len(answers)} answers, which does not show what tells good ones "
            "from bad ones. Give answers of both sorts."
        )
        raise CalibrationRefusedError(message)


def _marks(answers: Sequence[ReadAnswer], kind: Kind) -> set[bool | float | None]:
    golds = [answer.judged.gold for answer in answers]
    if kind == "points":
        return {share > MAJORITY for gold in golds for share in gold.points or () if share is not None}
    if kind == "label":
        return {gold.label == "correct" for gold in golds}
    return {gold.score for gold in golds}


def _side(kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade]) -> Side:
    agreement = evaluate(judged, grades, {}, samples=0)
    figures = {
        name: figure.value
        for one in agreement.kinds
        if one.kind == kind
        for name, figure in one.figures[MARKSCHEME].items()
    }
    return Side(_loss(kind, judged, grades), figures)


def _loss(kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade]) -> float:
    pairs = list(zip(judged, grades, strict=True))
    if kind == "score":
        gaps = [grade.score / 100 - (one.gold.score or 0.0) for one, grade in pairs]
        return float(np.sqrt(np.square(gaps).mean()))
    if kind == "label":
        return float(np.mean([(grade.verdict == "correct") != (one.gold.label == "correct") for one, grade in pairs]))
    told = [
        (share, point.coverage)
        for one, grade in pairs
        for share, point in zip(one.gold.points or (), grade.points, strict=True)
        if share is not None
    ]
    made, coverage = np.array(told, np.float64).T
    coverage = np.clip(coverage, _CERTAIN, 1 - _CERTAIN)
    return float(-(made * np.log(coverage) + (1 - made) * np.log(1 - coverage)).mean())
