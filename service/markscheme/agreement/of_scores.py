"""Agreement on scores."""

from collections.abc import Sequence

import numpy as np

from markscheme.agreement.arrays import Floats, Integers, Measure
from markscheme.agreement.comparison import Column, Comparison, Row, groups_of
from markscheme.agreement.numbers import mean, pearson, rmse
from markscheme.agreement.ranks import within_groups_measure
from markscheme.agreement.results import MARKSCHEME, RiskCurve, ScatterDot
from markscheme.agreement.risk import risk_steps
from markscheme.agreement.tables import kappa, table

LEVELS = 5


def compare_scores(rows: Sequence[Row], baselines: Sequence[str]) -> Comparison:
    """Compare scores from 0 to 1; an answer without a grade has 0."""
    groups = groups_of(rows)
    truth = np.array([row.answer.gold.score for row in rows], np.float64)
    ours = np.array([row.grade.score / 100 if row.grade else 0.0 for row in rows], np.float64)
    columns = {MARKSCHEME: Column(groups, score_measures(truth, ours, groups))}
    for name in baselines:
        like = np.array([row.likeness[name].whole for row in rows], np.float64)
        columns[name] = Column(groups, score_measures(truth, like, groups))
    confidence = np.array([row.grade.confidence if row.grade else 0.0 for row in rows], np.float64)
    return Comparison(
        columns=columns,
        cuts={},
        risk=(RiskCurve("answers", "rmse", risk_steps((ours - truth) ** 2, confidence, root=True)),),
        sizes=[abs(gap) if row.grade else 0.0 for row, gap in zip(rows, (ours - truth).tolist(), strict=True)],
        scatter=tuple(
            ScatterDot(theirs, our)
            for row, theirs, our in zip(rows, truth.tolist(), ours.tolist(), strict=True)
            if row.grade
        ),
    )


def score_measures(truth: Floats, graded: Floats, groups: Integers) -> dict[str, Measure]:
    """Every figure of scores; all arrays are (n,). `qwk` is over five levels, `offset` ours less theirs."""
    true_level, level = _levels(truth), _levels(graded)
    return {
        "pearson": lambda weights: pearson(truth, graded, weights),
        "spearman_within_question": within_groups_measure(truth, graded, groups),
        "rmse": lambda weights: rmse(truth, graded, weights),
        "offset": lambda weights: mean(graded - truth, weights),
        "qwk": lambda weights: kappa(table(true_level, level, weights, LEVELS), quadratic=True),
    }


def _levels(scores: Floats) -> Integers:
    return np.rint(np.clip(scores, 0, 1) * (LEVELS - 1)).astype(np.int64)
