"""How sure a decision on a point is: what answers and points are sorted by before the least sure are set aside."""

from markscheme.grading.grade import PointStatus

# Only for grades that were written before they said how sure they are.
_COVERED_FROM = 0.3


def confidence_of(status: PointStatus, coverage: float, told: float | None) -> float:
    """How sure the status is, 0 to 1.

    Args:
        status: What was decided; what was not assessed is not sure at all.
        coverage: How likely a person would say that the answer makes the point, 0 to 1.
        told: What the grade says itself; None where it is older than that: then .5 at the cut between covered and
            not, and 1 at the two ends.
    """
    if status == "not_assessed":
        return 0.0
    if told is not None:
        return told
    if status == "covered":
        return 0.5 + 0.5 * max(0.0, coverage - _COVERED_FROM) / (1 - _COVERED_FROM)
    return 0.5 + 0.5 * max(0.0, _COVERED_FROM - coverage) / _COVERED_FROM
