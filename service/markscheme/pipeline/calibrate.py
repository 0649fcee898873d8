"""Somebody's own graded answers to a calibration that marks as they do, and proof that it does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.of_points import MAJORITY
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import CalibrationRefusedError, InputError
from markscheme.pipeline.calibration_answers import ReadAnswer, read_answer
from markscheme.pipeline.calibration_family import Family, Scaled, Weighed
from markscheme.pipeline.calibration_fit import fit
from markscheme.pipeline.calibration_proof import LOSSES, Loss, Side, folds_of, side_of
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Fitter
from markscheme.pipeline.remembering import RememberingVerifier

LEAST_ANSWERS = 30
LEAST_QUESTIONS = 2
KINDS: tuple[Kind, ...] = ("points", "score", "label")


@dataclass(frozen=True, slots=True)
class Options:
    """How a calibration is fitted: `weights` refits every feature; `folds` and `seed` are those of the proof."""

    weights: bool = False
    folds: int = 5
    seed: int = 0


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
        before=side_of(kind, judged, [answer.grade for answer in answers]),
        after=side_of(kind, judged, [grade for grade in grades if grade]),
        left_out=left_out,
    )


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
        message = (
            f"{len(answers)} answers that people graded by points, score or label can be used; a calibration takes "
            f"{LEAST_ANSWERS}. Grade more of them."
        )
        raise CalibrationRefusedError(message)
    if len(set(groups)) < LEAST_QUESTIONS:
        message = (
            f"All {len(answers)} answers are to one question, so nothing shows what would hold for others. Give "
            f"answers to {LEAST_QUESTIONS} questions or more, told apart by question_id, question or group."
        )
        raise CalibrationRefusedError(message)
    if len(_marks(answers, kind)) < 2:  # noqa: PLR2004 - one mark tells nothing apart
        message = (
            f"People gave one and the same mark to all {len(answers)} answers, which does not show what tells good "
            "ones from bad ones. Give answers of both sorts."
        )
        raise CalibrationRefusedError(message)


def _marks(answers: Sequence[ReadAnswer], kind: Kind) -> set[bool | float | None]:
    golds = [answer.judged.gold for answer in answers]
    if kind == "points":
        return {share > MAJORITY for gold in golds for share in gold.points or () if share is not None}
    if kind == "label":
        return {gold.label == "correct" for gold in golds}
    return {gold.score for gold in golds}
