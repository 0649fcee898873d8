from dataclasses import replace
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.logistic import Effect, Logistic, log_odds_of, sigmoid

BY_HAND = Logistic(("a", "b"), (0.5, 0.0), (0.25, 2.0), (1.0, 3.0), -1.0)
FEATURE = st.floats(-5, 5)


def test_probability_by_hand() -> None:
    # -1 + 1 x (0.75 - 0.5) / 0.25 + 3 x (2 - 0) / 2 = 3
    assert BY_HAND.probability({"a": 0.75, "b": 2.0, "unread": 9.0}) == pytest.approx(1 / (1 + np.exp(-3)))
    assert BY_HAND.probability({"a": 0.75, "b": 0.0}) == 0.5


def test_effects_name_each_feature_in_order_with_what_it_added() -> None:
    assert BY_HAND.effects({"b": 2.0, "unread": 9.0, "a": 0.25}) == (Effect("a", 0.25, -1.0), Effect("b", 2.0, 3.0))


def test_a_feature_that_was_not_measured_has_no_effect() -> None:
    assert BY_HAND.effects({"b": 2.0}) == (Effect("b", 2.0, 3.0),)
    assert BY_HAND.log_odds({"b": 2.0}) == 2.0
    assert BY_HAND.effects({}) == ()
    assert BY_HAND.log_odds({}) == BY_HAND.intercept


@pytest.mark.parametrize(("given_", "missing"), [({"a": 1.0}, ["b"]), ({}, ["a", "b"]), ({"c": 1.0}, ["a", "b"])])
def test_a_probability_needs_every_feature(given_: dict[str, float], missing: list[str]) -> None:
    with pytest.raises(KeyError) as caught:
        BY_HAND.probability(given_)
    assert list(caught.value.args) == missing


@given(FEATURE, FEATURE)
def test_effects_sum_to_the_log_odds(a: float, b: float) -> None:
    features = {"a": a, "b": b}
    total = fsum(one.effect for one in BY_HAND.effects(features)) + BY_HAND.intercept
    assert BY_HAND.log_odds(features) == pytest.approx(total)
    assert BY_HAND.probability(features) == pytest.approx(sigmoid(total))


@given(FEATURE, FEATURE, st.floats(0, 5))
def test_more_of_a_feature_is_never_less_probable(a: float, b: float, more: float) -> None:
    assert BY_HAND.probability({"a": a + more, "b": b}) >= BY_HAND.probability({"a": a, "b": b})


@given(FEATURE, FEATURE, st.floats(0.1, 4), st.floats(-3, 3))
def test_scaling_stretches_and_shifts_the_log_odds(a: float, b: float, slope: float, offset: float) -> None:
    features = {"a": a, "b": b}
    expected = slope * BY_HAND.log_odds(features) + offset
    assert BY_HAND.scaled(slope, offset).log_odds(features) == pytest.approx(expected, abs=1e-9)


def test_scaling_can_weigh_one_feature_more() -> None:
    scaled = BY_HAND.scaled(2.0, 0.5, b=0.1, unread=7.0)
    assert scaled.weights == pytest.approx((2.0, 0.6))
    assert scaled == replace(BY_HAND, weights=scaled.weights, intercept=-1.5)
    assert BY_HAND.scaled(1.0, 0.0) == BY_HAND


@pytest.mark.parametrize("column", ["features", "centre", "scale", "weights"])
def test_columns_of_unequal_length_are_refused(column: str) -> None:
    shorter: dict[str, Any] = {column: getattr(BY_HAND, column)[:1]}
    with pytest.raises(ValueError, match=r"^\d features but \d centres, \d scales and \d weights; fit .* again$"):
        replace(BY_HAND, **shorter)


@given(st.floats(-1e6, 1e6))
def test_the_sigmoid_is_a_probability_and_symmetric(logit: float) -> None:
    assert 0 <= sigmoid(logit) <= 1
    assert sigmoid(-logit) == pytest.approx(1 - sigmoid(logit))
    assert sigmoid(0) == 0.5


@given(st.floats(-5.9, 5.9))
def test_log_odds_undo_the_sigmoid(logit: float) -> None:
    assert log_odds_of(sigmoid(logit)) == pytest.approx(logit, abs=1e-9)
    assert log_odds_of(sigmoid(-logit)) == pytest.approx(-logit, abs=1e-9)


@pytest.mark.parametrize(
    ("probability", "expected"),
    [(0.0, -6), (1.0, 6), (1e-300, -6), (1 - 1e-16, 6), (-0.1, -6), (1.0000001, 6), (0.5, 0), (0.9975, 5.98896)],
)
def test_log_odds_stay_within_a_limit(probability: float, expected: float) -> None:
    assert log_odds_of(probability) == pytest.approx(expected, abs=1e-5)
    assert log_odds_of(probability, limit=2.0) == pytest.approx(max(-2, min(2, expected)), abs=1e-5)


@given(st.floats(0, 1), st.floats(0, 1))
def test_log_odds_never_fall_as_a_probability_rises(one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert log_odds_of(less) <= log_odds_of(more)
