import numpy as np
import pytest

from markscheme.agreement.risk import mean_over_surest, risk_steps


def test_the_least_sure_are_set_aside_first() -> None:
    right = np.array([1.0, 1.0, 0.0, 1.0, 0.0])
    confidence = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    assert mean_over_surest(right, confidence, np.ones(5), 0.0) == pytest.approx((0.6, 5))
    assert mean_over_surest(right, confidence, np.ones(5), 0.2) == (0.75, 4)
    assert mean_over_surest(right, confidence, np.ones(5), 0.6) == (1.0, 2)


def test_the_order_of_equally_sure_decisions_does_not_matter() -> None:
    right, confidence = np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.9, 0.5, 0.5, 0.5])
    found = mean_over_surest(right, confidence, np.ones(4), 0.5)
    assert found == pytest.approx(mean_over_surest(right[::-1], confidence[::-1], np.ones(4), 0.5))
    assert found == pytest.approx(((1 + 1 / 3) / 2, 2))


def test_larger_answers_count_by_their_points() -> None:
    rights, sizes = np.array([8.0, 0.0]), np.array([10.0, 2.0])
    assert mean_over_surest(rights, np.array([0.1, 0.9]), sizes, 0.0)[0] == pytest.approx(8 / 12)
    assert mean_over_surest(rights, np.array([0.9, 0.1]), sizes, 0.5) == (0.8, 1)


def test_a_curve_ends_where_half_is_set_aside_and_never_empty() -> None:
    steps = risk_steps(np.array([0.25]), np.array([0.5]), root=True)
    assert [step.set_aside for step in steps] == [place / 100 for place in range(0, 55, 5)]
    assert {(step.kept, step.value) for step in steps} == {(1, 0.5)}
    assert risk_steps(np.zeros(0), np.zeros(0)) == ()
