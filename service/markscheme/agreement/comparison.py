"""One kind of judgement laid out in columns, one column a judge, before anything is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, Integers, Measure
from markscheme.agreement.baseline import Likeness
from markscheme.agreement.judged import JudgedAnswer, OurGrade, OurPoint
from markscheme.agreement.numbers import ReliabilityBin, mean
from markscheme.agreement.ranks import auc_measure
from markscheme.agreement.results import RiskCurve, ScatterDot
from markscheme.agreement.tables import accuracy, kappa, macro_f1, table


@dataclass(frozen=True, slots=True)
class Row:
    """One answer with both sides: `group` is the number of its group, `likeness` is by name of the baseline."""

    place: int
    group: int
    answer: JudgedAnswer
    grade: OurGrade | None
    likeness: Mapping[str, Likeness]

    def point(self, at: int) -> OurPoint | None:
        """Our decision on one point, or None where there is none."""
        return self.grade.points[at] if self.grade and at < len(self.grade.points) else None


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """What one judge decided: the groups of the decisions, (n,), and every figure of them by name."""

    groups: Integers
    measures: Mapping[str, Measure]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All columns of one kind by name of the judge, and what is told of ours alone.

    `sizes` is how far ours is from the people's, 0 to 1, one a row, 0 where both decided alike or nothing was graded.
    """

    columns: Mapping[str, Column]
    cuts: Mapping[str, float]
    risk: tuple[RiskCurve, ...]
    sizes: Sequence[float]
    points: int = 0
    points_not_graded: int = 0
    reliability: tuple[ReliabilityBin, ...] = ()
    scatter: tuple[ScatterDot, ...] = ()


def choice_measures(truth: Flags, chosen: Flags, graded: Floats | None = None) -> dict[str, Measure]:
    """Figures of choices between two; with `graded`, what the choice was made from, also of their order."""
    measures: dict[str, Measure] = {
        "accuracy": lambda weights: accuracy(table(truth, chosen, weights)),
        "macro_f1": lambda weights: macro_f1(table(truth, chosen, weights)),
        "kappa": lambda weights: kappa(table(truth, chosen, weights)),
    }
    if graded is not None:
        measures["auc"] = auc_measure(truth, graded)
    return measures


def share_measure(hit: Flags, among: Flags) -> Measure:
    """The share of decisions `among` those of one sort that are a `hit`; both (n,)."""
    return lambda weights: mean(hit, weights * among)


def groups_of(rows: Sequence[Row]) -> Integers:
    """The group of each row: (n,)."""
    return np.array([row.group for row in rows], np.int64)
