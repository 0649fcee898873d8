import math

import numpy as np
import pytest

from markscheme.agreement.arrays import Floats
from markscheme.agreement.numbers import mean
from markscheme.agreement.resampling import Draws, Figure

VALUES = np.random.default_rng(3).normal(size=400)


def mean_of_values(weights: Floats) -> float:
    return mean(VALUES, weights)


def test_the_interval_of_a_mean_is_the_one_that_statistics_give() -> None:
    figure = Draws.of(400, 2000, 0).figure(mean_of_values, np.arange(400))
    assert figure.value == pytest.approx(VALUES.mean())
    assert figure.low is not None
    assert figure.high is not None
    width = 2 * 1.96 * VALUES.std() / math.sqrt(400)
    assert figure.high - figure.low == pytest.approx(width, rel=0.1)
    assert figure.low < VALUES.mean() < figure.high


def test_whole_groups_are_drawn() -> None:
    # Every answer of a group is alike, so four groups of a hundred tell no more than four answers.
    groups = np.arange(400) // 100
    values = groups.astype(np.float64)
    wide = Draws.of(4, 1000, 0).figure(lambda weights: mean(values, weights), groups)
    narrow = Draws.of(400, 1000, 0).figure(lambda weights: mean(values, weights), np.arange(400))
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.high - wide.low > 5 * (narrow.high - narrow.low)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    first, again, other = (Draws.of(400, 50, seed).figure(mean_of_values, np.arange(400)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_one_group_and_no_draw_have_no_interval() -> None:
    value = mean_of_values(np.ones(400))
    assert Draws.of(1, 50, 0).figure(mean_of_values, np.zeros(400, np.int64)) == Figure(value)
    assert Draws.of(400, 0, 0).figure(mean_of_values, np.arange(400)) == Figure(value)


def test_what_is_undefined_has_no_value_and_where_most_draws_are_undefined_no_interval() -> None:
    assert Draws.of(2, 50, 0).figure(lambda _: math.nan, np.arange(2)) == Figure(None)

    def only_once_each(weights: Floats) -> float:
        return 0.5 if weights.max() == 1 else math.nan

    assert Draws.of(9, 50, 0).figure(only_once_each, np.arange(9)) == Figure(0.5)
