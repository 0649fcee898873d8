import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import PointGrade, PointStatus, Verdict
from markscheme.grading.rubric import Importance
from markscheme.grading.score import credit, status_of, verdict_of, weighted

CUTS = Cuts(covered=0.6, partial=0.2)
COVERAGE = st.floats(0, 1)


def graded(
    status: PointStatus, coverage: float = 0.0, weight: float = 1.0, importance: Importance = "vital"
) -> PointGrade:
    return PointGrade("p", "text", importance, weight, status, coverage, credit(coverage, status, CUTS), "similarity")


@pytest.mark.parametrize(
    ("coverage", "status"),
    [(1.0, "covered"), (0.6, "covered"), (0.5999, "partial"), (0.2, "partial"), (0.1999, "missing"), (0.0, "missing")],
)
def test_a_cut_belongs_to_the_status_above_it(coverage: float, status: PointStatus) -> None:
    assert status_of(coverage, CUTS) == status
    # Coverage alone never contradicts.
    assert status_of(coverage, Cuts(covered=0.6, partial=0.2, contradicted=0.1)) == status


@pytest.mark.parametrize(
    ("coverage", "earned"), [(1.0, 1), (0.6, 1), (0.5, 0.75), (0.4, 0.5), (0.3, 0.25), (0.2, 0), (0.1, 0)]
)
def test_credit_grows_evenly_between_the_cuts(coverage: float, earned: float) -> None:
    assert credit(coverage, status_of(coverage, CUTS), CUTS) == pytest.approx(earned)


@pytest.mark.parametrize("status", ["contradicted", "not_assessed"])
def test_no_credit_for_what_is_contradicted_or_not_assessed(status: PointStatus) -> None:
    assert credit(0.9, status, CUTS) == 0


@given(COVERAGE, COVERAGE)
def test_more_coverage_never_earns_less(one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert credit(less, status_of(less, CUTS), CUTS) <= credit(more, status_of(more, CUTS), CUTS)


def test_a_score_by_hand() -> None:
    points = [
        graded("covered", 0.9, weight=3),
        graded("partial", 0.4, weight=2),
        graded("missing", 0.1, weight=4),
        graded("contradicted", 0.1, weight=1),
    ]
    # (3 x 1 + 2 x 0.5 + 0 + 0) / (3 + 2 + 4 + 1)
    assert weighted(points) == pytest.approx(0.4)
    # Weighs nothing on either side.
    assert weighted([*points, graded("not_assessed", 0.9, weight=90)]) == pytest.approx(0.4)


def test_nothing_to_weigh_scores_nothing() -> None:
    assert weighted([]) == 0
    assert weighted([graded("not_assessed")]) == 0
    assert weighted([graded("covered", 0.9, weight=0)]) == 0


@given(st.lists(st.tuples(COVERAGE, st.floats(0.01, 100)), min_size=1, max_size=9), st.floats(0.01, 100))
def test_a_score_is_a_share_and_the_unit_of_weight_does_not_matter(
    rows: list[tuple[float, float]], unit: float
) -> None:
    points = [graded(status_of(coverage, CUTS), coverage, weight) for coverage, weight in rows]
    scaled = [graded(status_of(coverage, CUTS), coverage, weight * unit) for coverage, weight in rows]
    assert 0 <= weighted(points) <= 1 + 1e-9
    assert weighted(scaled) == pytest.approx(weighted(points))


COVERED, PARTIAL, MISSING = graded("covered", 0.9), graded("partial", 0.4), graded("missing")
WRONG, OKAY_WRONG = graded("contradicted"), graded("contradicted", importance="okay")
UNREAD = graded("not_assessed")


@pytest.mark.parametrize(
    ("points", "score", "verdict"),
    [
        ([], 100, "not_assessed"),
        ([UNREAD, UNREAD], 100, "not_assessed"),
        ([UNREAD, COVERED], 100, "correct"),
        ([COVERED, PARTIAL], 80, "correct"),
        ([COVERED, PARTIAL], 79.9, "partial"),
        ([COVERED, MISSING], 95, "partial"),
        ([COVERED, graded("missing", importance="okay")], 95, "correct"),
        ([PARTIAL, MISSING], 25, "partial"),
        ([PARTIAL, MISSING], 24.9, "incorrect"),
        ([MISSING], 0, "incorrect"),
        ([COVERED, COVERED, COVERED, WRONG], 90, "contradictory"),
        ([COVERED, COVERED, OKAY_WRONG], 90, "correct"),
        ([COVERED, OKAY_WRONG], 90, "contradictory"),
        ([PARTIAL, PARTIAL, OKAY_WRONG], 30, "partial"),
        ([MISSING, OKAY_WRONG], 0, "contradictory"),
    ],
)
def test_verdicts(points: list[PointGrade], score: float, verdict: Verdict) -> None:
    assert verdict_of(points, score) == verdict
    assert verdict_of(points[::-1], score) == verdict
