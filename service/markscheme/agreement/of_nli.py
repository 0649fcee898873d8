"""Agreement on entailment: one statement, which the answer entails, contradicts or leaves open."""

from collections.abc import Sequence

import numpy as np

from markscheme.agreement.arrays import Flags, Measure
from markscheme.agreement.baseline import best_cut
from markscheme.agreement.comparison import Column, Comparison, Row, groups_of, share_measure
from markscheme.agreement.numbers import mean
from markscheme.agreement.results import MARKSCHEME, RiskCurve
from markscheme.agreement.risk import risk_steps


def compare_nli(rows: Sequence[Row], baselines: Sequence[str]) -> Comparison:
    """Compare the one point's status with the relation: an entailed point should be covered, and no other.

    Without a grade a point is neither covered nor contradicted, and counts as wrong in the accuracy.
    """
    groups = groups_of(rows)
    entailed = np.array([row.answer.gold.nli == "entailment" for row in rows], np.bool_)
    contradiction = np.array([row.answer.gold.nli == "contradiction" for row in rows], np.bool_)
    points = [row.point(0) for row in rows]
    graded = np.array([point is not None for point in points], np.bool_)
    covered = np.array([point is not None and point.status == "covered" for point in points], np.bool_)
    flagged = np.array([point is not None and point.status == "contradicted" for point in points], np.bool_)
    right = (covered == entailed) & graded
    measures = _measures(right, covered, entailed)
    measures["contradiction_flagged"] = share_measure(flagged, contradiction)
    columns = {MARKSCHEME: Column(groups, measures)}
    cuts = {}
    for name in baselines:
        like = np.array([row.likeness[name].whole for row in rows], np.float64)
        cuts[name] = best_cut(entailed, like)
        passed = like >= cuts[name]
        columns[name] = Column(groups, _measures(passed == entailed, passed, entailed))
    confidence = np.array([point.confidence if point else 0.0 for point in points], np.float64)
    wrong = graded & ~right
    gaps = [abs(point.coverage - entails) if point else 0.0 for point, entails in zip(points, entailed, strict=True)]
    return Comparison(
        columns=columns,
        cuts=cuts,
        risk=(RiskCurve("points", "accuracy", risk_steps(right.astype(np.float64), confidence)),),
        sizes=[float(gap) if miss else 0.0 for gap, miss in zip(gaps, wrong, strict=True)],
        points=len(rows),
        points_not_graded=int((~graded).sum()),
    )


def _measures(right: Flags, covered: Flags, entailed: Flags) -> dict[str, Measure]:
    return {
        "accuracy": lambda weights: mean(right, weights),
        "entailed_covered": share_measure(covered, entailed),
        "others_covered": share_measure(covered, ~entailed),
    }
