from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.coverage import Calibration, Relaxation, sigmoid
from markscheme.grading.score import Cuts

BY_HAND = Calibration("by hand", ("a", "b"), (0.5, 0.0), (0.25, 2.0), (1.0, 3.0), -1.0, Cuts(0.5, 0.25))
FEATURE = st.floats(-5, 5)


def test_coverage_by_hand() -> None:
    # -1 + 1 x (0.75 - 0.5) / 0.25 + 3 x (2 - 0) / 2 = 3
    assert BY_HAND.coverage({"a": 0.75, "b": 2.0, "unread": 9.0}) == pytest.approx(1 / (1 + np.exp(-3)))
    assert BY_HAND.coverage({"a": 0.75, "b": 0.0}) == 0.5


@given(FEATURE, FEATURE)
def test_a_sample_answer_is_read_by_scaled_log_odds(a: float, b: float) -> None:
    relaxed = replace(BY_HAND, relaxation=Relaxation(slope=0.5, offset=1.0)).for_sample_answers
    strict = BY_HAND.coverage({"a": a, "b": b})
    odds = np.log(strict / (1 - strict)) if 0 < strict < 1 else None
    if odds is not None:
        assert relaxed.coverage({"a": a, "b": b}) == pytest.approx(sigmoid(0.5 * odds + 1.0), abs=1e-6)
    assert relaxed.for_sample_answers == relaxed
    assert BY_HAND.for_sample_answers == BY_HAND


@given(FEATURE, FEATURE, st.floats(0, 5))
def test_more_of_a_feature_is_never_less_coverage(a: float, b: float, more: float) -> None:
    assert BY_HAND.coverage({"a": a + more, "b": b}) >= BY_HAND.coverage({"a": a, "b": b})


def test_a_feature_that_was_not_measured_is_an_error() -> None:
    with pytest.raises(KeyError):
        BY_HAND.coverage({"a": 1.0})


@pytest.mark.parametrize("column", ["features", "centre", "scale", "weights"])
def test_columns_of_unequal_length_are_refused(column: str) -> None:
    shorter: dict[str, Any] = {column: getattr(BY_HAND, column)[:1]}
    with pytest.raises(ValueError, match=r"calibration by hand: \d features but \d centres, \d scales and \d weights"):
        replace(BY_HAND, **shorter)


@given(st.floats(-1e6, 1e6))
def test_the_sigmoid_is_a_probability_and_symmetric(logit: float) -> None:
    assert 0 <= sigmoid(logit) <= 1
    assert sigmoid(-logit) == pytest.approx(1 - sigmoid(logit))
    assert sigmoid(0) == 0.5
