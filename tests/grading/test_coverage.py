from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.coverage import NOT_BY_CHANCE, Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.grading.logistic import Logistic, sigmoid

READS = Logistic(("a", NOT_BY_CHANCE), (0.5, 0.0), (0.25, 2.0), (1.0, 3.0), -1.0)
BY_HAND = Calibration("by hand", READS, Cuts(0.5, 0.25))
FEATURE = st.floats(-5, 5)


@given(FEATURE, FEATURE)
def test_a_sample_answer_is_read_by_scaled_log_odds(a: float, b: float) -> None:
    features = {"a": a, NOT_BY_CHANCE: b}
    relaxed = replace(BY_HAND, relaxation=Relaxation(slope=0.5, offset=1.0)).for_sample_answers
    expected = sigmoid(0.5 * READS.log_odds(features) + 1.0)
    assert relaxed.coverage.probability(features) == pytest.approx(expected)
    assert relaxed.for_sample_answers == relaxed


def test_a_sample_answer_asks_less_whether_the_answer_is_to_the_question() -> None:
    relaxed = replace(BY_HAND, relaxation=Relaxation(slope=2.0, chance=0.1)).for_sample_answers
    assert relaxed.coverage.weights == pytest.approx((2.0, 0.6))


def test_without_a_relaxation_a_sample_answer_is_read_as_points_are() -> None:
    assert BY_HAND.for_sample_answers == BY_HAND


def test_only_coverage_is_relaxed() -> None:
    against = Logistic(("not_contradicted",), (0.0,), (1.0,), (-1.0,), 0.0)
    whole = replace(BY_HAND, contradiction=against, relaxation=Relaxation(0.5, 1.0, 0.1))
    relaxed = whole.for_sample_answers
    assert (relaxed.name, relaxed.cuts, relaxed.contradiction) == (whole.name, whole.cuts, against)


def test_what_reads_a_verifier_needs_one() -> None:
    assert not BY_HAND.needs_verifier
    heard = Logistic(("not_contradicted",), (0.0,), (1.0,), (1.0,), 0.0)
    unheard = Logistic(("match_passage",), (0.0,), (1.0,), (-1.0,), 0.0)
    assert replace(BY_HAND, contradiction=heard).needs_verifier
    assert replace(BY_HAND, coverage=heard).needs_verifier
    assert not replace(BY_HAND, contradiction=unheard).needs_verifier
