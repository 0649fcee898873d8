"""From statuses to a score and a verdict. Arithmetic only, so that a learner can redo it by hand."""

import math
from collections.abc import Sequence

from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import PointGrade, PointStatus, Verdict

CORRECT_SCORE = 80.0
INCORRECT_SCORE = 25.0


def status_of(coverage: float, cuts: Cuts) -> PointStatus:
    """The status that a coverage stands for; contradiction is decided elsewhere."""
    if coverage >= cuts.covered:
        return "covered"
    return "partial" if coverage >= cuts.partial else "missing"


def credit(coverage: float, status: PointStatus, cuts: Cuts) -> float:
    """What a point earns of its weight, 0 to 1.

    All of it from the upper cut on, nothing under the lower cut or when contradicted, and in between a share that
    grows evenly: a hair's breadth of coverage never decides over a whole point.
    """
    if status in {"contradicted", "not_assessed"}:
        return 0.0
    return min(1.0, max(0.0, (coverage - cuts.partial) / (cuts.covered - cuts.partial)))


def weighted(points: Sequence[PointGrade]) -> float:
    """Credit over weight, 0 to 1; points that were not assessed count on neither side. 0 for no points."""
    assessed = [point for point in points if point.status != "not_assessed"]
    # Exact sums, so that the order of the points cannot move the last digit.
    total = math.fsum(point.weight for point in assessed)
    earned = math.fsum(point.weight * point.credit for point in assessed)
    return earned / total if total else 0.0


def verdict_of(points: Sequence[PointGrade], score: float) -> Verdict:
    """One word for the whole answer.

    contradictory: a vital point is contradicted, or as many points are contradicted as are made.
    correct:       80 or more, and no vital point is missing.
    incorrect:     under 25.
    """
    if not points or all(point.status == "not_assessed" for point in points):
        return "not_assessed"
    contradicted = [point for point in points if point.status == "contradicted"]
    made = sum(point.status in {"covered", "partial"} for point in points)
    if any(point.importance == "vital" for point in contradicted) or (contradicted and len(contradicted) >= made):
        return "contradictory"
    vital_missing = any(point.importance == "vital" and point.status == "missing" for point in points)
    if score >= CORRECT_SCORE and not vital_missing:
        return "correct"
    return "incorrect" if score < INCORRECT_SCORE else "partial"
