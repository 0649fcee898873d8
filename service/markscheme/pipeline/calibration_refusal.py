"""What graded answers must be to carry a calibration: enough, not all alike, and not turned round."""

from collections.abc import Sequence

import numpy as np

from markscheme.agreement.arrays import UNDEFINED, Floats
from markscheme.agreement.gold import Kind
from markscheme.agreement.of_labels import WORTH
from markscheme.agreement.of_points import MAJORITY
from markscheme.agreement.ranks import spearman
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.calibration_answers import ReadAnswer

LEAST_ANSWERS = 30
LEAST_QUESTIONS = 2
# Of fewer questions, one that is harder than the others would look like marks that are turned round.
LEAST_QUESTIONS_TO_COMPARE = 10


def refuse_what_cannot_carry(answers: Sequence[ReadAnswer], kind: Kind) -> None:
    """Raise CalibrationRefusedError where no fit to these marks could hold for others."""
    if len(answers) < LEAST_ANSWERS:
        message = (
            f"{len(answers)} answers that people graded by points, score or label can be used; a calibration takes "
            f"{LEAST_ANSWERS}. Grade more of them."
        )
        raise CalibrationRefusedError(message)
    if len({answer.judged.group for answer in answers}) < LEAST_QUESTIONS:
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
    order = agreement_of_order(answers, kind)
    if order < 0:
        what = "points of which more is found" if kind == "points" else "answers that make more of the points"
        message = (
            f"The marks run against the grader's reading: {what} got lower marks (rank correlation {order:.2f}). "
            "Check that 1 stands for made and 0 for missed, that higher scores are better, that judged points stand in "
            "the order of the rubric's, and that every answer stands beside its own question."
        )
        raise CalibrationRefusedError(message)


def agreement_of_order(answers: Sequence[ReadAnswer], kind: Kind) -> float:
    """Rank correlation of marks with what the grader read, -1 to 1; NaN where nothing shows it.

    It is taken inside each question and averaged by how much was judged there. Where no question has two marks that
    differ, as with one answer each, it is taken over the means of ten or more questions.
    """
    groups = np.array([answer.judged.group for answer in answers])
    told = [_both(answer, kind) for answer in answers]
    inside: list[tuple[int, float]] = []
    means: list[Floats] = []
    for group in np.unique(groups):
        pairs = np.concatenate([told[at] for at in np.flatnonzero(groups == group)])
        found = spearman(*pairs.T)
        means.append(pairs.mean(axis=0))
        if not np.isnan(found):
            inside.append((len(pairs), found))
    if inside:
        sizes, values = zip(*inside, strict=True)
        return float(np.average(values, weights=sizes))
    return spearman(*np.array(means).T) if len(means) >= LEAST_QUESTIONS_TO_COMPARE else UNDEFINED


def _both(answer: ReadAnswer, kind: Kind) -> Floats:
    """People's mark and ours of everything that they judged in one answer, (n, 2)."""
    gold, grade = answer.judged.gold, answer.grade
    if kind == "points":
        pairs = zip(gold.points or (), grade.points, strict=True)
        return np.array([(share, point.coverage) for share, point in pairs if share is not None], np.float64)
    theirs = WORTH[gold.label] if kind == "label" and gold.label else gold.score or 0.0
    return np.array([(theirs, grade.score)], np.float64)


def _marks(answers: Sequence[ReadAnswer], kind: Kind) -> set[bool | float | None]:
    golds = [answer.judged.gold for answer in answers]
    if kind == "points":
        return {share > MAJORITY for gold in golds for share in gold.points or () if share is not None}
    if kind == "label":
        return {gold.label == "correct" for gold in golds}
    return {gold.score for gold in golds}
