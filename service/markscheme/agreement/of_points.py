"""Agreement on points: does the answer make this one?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, Integers
from markscheme.agreement.baseline import best_cut
from markscheme.agreement.comparison import Column, Comparison, Row, choice_measures
from markscheme.agreement.judged import OurPoint
from markscheme.agreement.numbers import calibration_error, reliability
from markscheme.agreement.results import MARKSCHEME, RiskCurve
from markscheme.agreement.risk import risk_steps

MAJORITY = 0.5


@dataclass(frozen=True, slots=True)
class _Decision:
    """A point that people judged. `row` and `at` are its places among the rows and in its rubric."""

    row: int
    at: int
    share: float
    point: OurPoint | None

    @property
    def made(self) -> bool:
        return self.share > MAJORITY

    @property
    def covered(self) -> bool:
        # Without a grade the decision counts as wrong.
        return self.point.status == "covered" if self.point else not self.made


def compare_points(rows: Sequence[Row], baselines: Sequence[str]) -> Comparison:
    """Compare point by point; a point is made where more than half of the people say so."""
    found = [
        _Decision(number, at, share, row.point(at))
        for number, row in enumerate(rows)
        for at, share in enumerate(row.answer.gold.points or ())
        if share is not None
    ]
    groups = np.array([rows[one.row].group for one in found], np.int64)
    truth = np.array([one.made for one in found], np.bool_)
    covered = np.array([one.covered for one in found], np.bool_)
    coverage = np.array([one.point.coverage if one.point else 0.0 for one in found], np.float64)
    graded = np.array([one.point is not None for one in found], np.bool_)
    measures = choice_measures(truth, covered, coverage)
    measures["ece"] = lambda weights: calibration_error(truth, coverage, weights * graded)
    columns = {MARKSCHEME: Column(groups, measures)}
    cuts = {}
    for name in baselines:
        like = np.array([_reference(rows[one.row], name, one.at) for one in found], np.float64)
        cuts[name] = best_cut(truth, like)
        columns[name] = Column(groups, choice_measures(truth, like >= cuts[name], like))
    return Comparison(
        columns=columns,
        cuts=cuts,
        risk=_risk(rows, found, truth == covered),
        sizes=_sizes(len(rows), found),
        points=len(found),
        points_not_graded=int((~graded).sum()),
        reliability=tuple(reliability(truth[graded], coverage[graded])),
    )


def _reference(row: Row, name: str, at: int) -> float:
    # Where only the index has the points, they are not known without a grade.
    values = row.likeness[name].references
    return values[at] if at < len(values) else 0.0


def _risk(rows: Sequence[Row], found: Sequence[_Decision], right: Flags) -> tuple[RiskCurve, ...]:
    places: Integers = np.array([one.row for one in found], np.int64)
    sizes: Floats = np.bincount(places, minlength=len(rows)).astype(np.float64)
    rights: Floats = np.bincount(places, right, minlength=len(rows)).astype(np.float64)
    of_points = np.array([one.point.confidence if one.point else 0.0 for one in found], np.float64)
    of_answers = np.array([row.grade.confidence if row.grade else 0.0 for row in rows], np.float64)
    return (
        RiskCurve("points", "accuracy", risk_steps(right.astype(np.float64), of_points)),
        RiskCurve("answers", "accuracy", risk_steps(rights, of_answers, sizes)),
    )


def _sizes(rows: int, found: Sequence[_Decision]) -> list[float]:
    """How far coverage is from the people's share, over the points that were decided wrongly, by all judged points."""
    gaps, judged = [0.0] * rows, [0] * rows
    for one in found:
        judged[one.row] += 1
        if one.point and one.covered != one.made:
            gaps[one.row] += abs(one.point.coverage - one.share)
    return [gap / max(1, count) for gap, count in zip(gaps, judged, strict=True)]
