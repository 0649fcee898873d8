"""Somebody's own graded answers to a calibration that marks as they do, and proof that it does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markscheme.agreement.gold import Kind
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.calibration_answers import LeftOut, ReadAnswer, kind_of, read_answers
from markscheme.pipeline.calibration_family import Family, Scaled, Weighed
from markscheme.pipeline.calibration_fit import fit
from markscheme.pipeline.calibration_proof import Proof, folds_of, prove
from markscheme.pipeline.calibration_refusal import refuse_what_cannot_carry
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Fitter
from markscheme.pipeline.remembering import RememberingVerifier


@dataclass(frozen=True, slots=True)
class Options:
    """How a calibration is fitted: `weights` refits every feature; `folds` and `seed` are those of the proof."""

    weights: bool = False
    folds: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What was fitted and what it is worth.

    `scale` is the slope and the offset of the log-odds, None where the weights were fitted. `left_out` are the answers
    that could not be used.
    """

    calibration: Calibration
    base: Calibration
    kind: Kind
    answers: int
    questions: int
    folds: int
    scale: tuple[float, float] | None
    proof: Proof
    left_out: tuple[LeftOut, ...] = ()

    @property
    def helps(self) -> bool:
        """Whether held-out answers are shown to be marked more as people marked them."""
        return not self.proof.objections


def calibrate(  # noqa: PLR0913 - the parts, and how they are used
    rows: Sequence[JudgedRequest],
    grader: Grader,
    fitter: Fitter,
    *,
    name: str,
    options: Options,
    count: Callable[[LeftOut | None], None] = lambda _: None,
) -> CalibrationReport:
    """Fit a calibration to what people decided, starting from the one of the grader.

    Each answer is read once. Each fold of the questions is graded by a calibration that was fitted to the others; what
    is returned was fitted to all. Where rows hold several kinds of judgement, the kind that most of them have is
    fitted, and the other rows are left out.

    Args:
        rows: Answers that people judged.
        grader: Grades by the calibration in use.
        fitter: Finds the numbers that fit best.
        name: What the calibration shall be called.
        options: What is fitted, and how the proof is done.
        count: Called once for each row, with why it is left out or None, also where all is refused in the end.

    Raises:
        CalibrationRefusedError: The answers are too few, too alike or too contrary to carry one.
        UnservableIndexError: A row needs the index, and there is none.
        VerifierError: The verifier failed while held-out answers were graded.
    """
    kind = kind_of(rows)
    grader = replace(grader, verifier=RememberingVerifier(grader.verifier) if grader.verifier else None)
    answers, left_out = read_answers(rows, kind, grader, count)
    refuse_what_cannot_carry(answers, kind)
    base = grader.calibration
    family: Family = Weighed(base) if options.weights else Scaled(base)

    def fitted_to(some: Sequence[ReadAnswer]) -> Calibration:
        return fit(some, kind, base, family, fitter)[0]

    groups = [answer.judged.group for answer in answers]
    folds = folds_of(groups, options.folds, options.seed)
    by_fold = [
        fitted_to([answer for answer, at in zip(answers, folds, strict=True) if at != fold])
        for fold in range(max(folds) + 1)
    ]
    before = [answer.grade for answer in answers]
    after = [answer.graded_by(by_fold[fold]) for answer, fold in zip(answers, folds, strict=True)]
    fitted, numbers = fit(answers, kind, base, family, fitter)
    return CalibrationReport(
        calibration=replace(fitted, name=name),
        base=base,
        kind=kind,
        answers=len(answers),
        questions=len(set(groups)),
        folds=len(by_fold),
        scale=None if options.weights else (float(numbers[0]), float(numbers[1])),
        proof=prove(kind, [answer.judged for answer in answers], before, after, folds, seed=options.seed),
        left_out=tuple(left_out),
    )


def refuse_unless_it_helps(report: CalibrationReport) -> None:
    """Raise CalibrationRefusedError where held-out answers are not shown to be marked better than before."""
    if report.helps:
        return
    message = (
        f"{' '.join(report.proof.objections)} This calibration is not shown to help, and nothing was saved. "
        "Give more graded answers, to more questions, or insist with --force."
    )
    raise CalibrationRefusedError(message)
