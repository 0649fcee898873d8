"""Agreement on labels: is the answer correct, and does it contradict?"""

from collections.abc import Mapping, Sequence

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, Measure
from markscheme.agreement.baseline import best_cut
from markscheme.agreement.comparison import Column, Comparison, Row, choice_measures, groups_of, share_measure
from markscheme.agreement.gold import Label
from markscheme.agreement.results import MARKSCHEME, RiskCurve
from markscheme.agreement.risk import risk_steps

WORTH: Mapping[Label, float] = {"correct": 1.0, "partial": 0.5, "incorrect": 0.0, "contradictory": 0.0}


def compare_labels(rows: Sequence[Row], baselines: Sequence[str]) -> Comparison:
    """Compare answers as correct or not, and as contradictory or not; our side is the verdict."""
    groups = groups_of(rows)
    truth = np.array([row.answer.gold.label == "correct" for row in rows], np.bool_)
    contradictory = np.array([row.answer.gold.label == "contradictory" for row in rows], np.bool_)
    graded = np.array([row.grade is not None for row in rows], np.bool_)
    score = np.array([row.grade.score if row.grade else 0.0 for row in rows], np.float64)
    correct = np.array([row.grade is not None and row.grade.verdict == "correct" for row in rows], np.bool_)
    flagged = np.array([row.grade is not None and row.grade.verdict == "contradictory" for row in rows], np.bool_)
    # Without a grade the decision counts as wrong.
    chosen = np.where(graded, correct, ~truth)
    columns = {MARKSCHEME: Column(groups, label_measures(truth, chosen, contradictory, flagged, score))}
    cuts = {}
    for name in baselines:
        like = np.array([row.likeness[name].whole for row in rows], np.float64)
        cuts[name] = best_cut(truth, like)
        passed = like >= cuts[name]
        columns[name] = Column(groups, label_measures(truth, passed, contradictory, None, like))
    right = (chosen == truth).astype(np.float64)
    confidence = np.array([row.grade.confidence if row.grade else 0.0 for row in rows], np.float64)
    return Comparison(
        columns=columns,
        cuts=cuts,
        risk=(RiskCurve("answers", "accuracy", risk_steps(right, confidence)),),
        sizes=[_size(row) for row in rows],
    )


def label_measures(
    truth: Flags, chosen: Flags, contradictory: Flags, flagged: Flags | None, graded: Floats | None
) -> dict[str, Measure]:
    """Every figure of labels; those of flags only where contradictions are `flagged`. All arrays are (n,)."""
    measures = choice_measures(truth, chosen, graded)
    measures["contradictory_passed"] = share_measure(chosen, contradictory)
    if flagged is not None:
        measures["contradictory_flagged"] = share_measure(flagged, contradictory)
        measures["false_flags"] = share_measure(flagged, ~contradictory)
    return measures


def _size(row: Row) -> float:
    if row.grade is None or row.answer.gold.label is None:
        return 0.0
    if (row.grade.verdict == "correct") == (row.answer.gold.label == "correct"):
        return 0.0
    return abs(row.grade.score / 100 - WORTH[row.answer.gold.label])
