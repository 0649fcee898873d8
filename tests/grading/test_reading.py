from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.alignment import FEATURES
from markscheme.grading.logistic import sigmoid
from markscheme.grading.reading import ALL_FEATURES, VERIFIER_FEATURES, Reading
from markscheme.grading.verification import Claim, Verification

SENTENCES = ("Well, that depends.", "The cache holds 7 pages.")
STATEMENT = "The cache holds pages"


def reading(bench: Any, verification: Verification | None = None) -> Reading:
    answer = bench.answer(*SENTENCES)
    alignment = bench.align(STATEMENT, answer)
    return Reading(alignment, answer, "Why?", verification)


def test_a_reading_claims_that_the_passage_makes_the_statement(bench: Any) -> None:
    answer = bench.answer(*SENTENCES)
    found = Reading(bench.align(STATEMENT, answer), answer, "Why?")
    assert found.claim == Claim("Why?", STATEMENT, " ".join(SENTENCES))
    assert found.verification is None


def test_without_a_verifier_only_similarity_is_read(bench: Any) -> None:
    found = reading(bench)
    assert found.features == found.alignment.features
    assert set(found.features) == set(FEATURES)


def test_a_verifier_adds_two_features(bench: Any) -> None:
    found = reading(bench, Verification(supported=0.8, contradicted=0.1))
    assert set(found.features) == set(ALL_FEATURES) == {*FEATURES, *VERIFIER_FEATURES}
    assert sigmoid(found.features["supported"]) == pytest.approx(0.8)
    assert sigmoid(found.features["not_contradicted"]) == pytest.approx(0.9)
    assert {name: found.features[name] for name in FEATURES} == found.alignment.features


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_more_of_either_feature_never_speaks_against_the_point(
    bench: Any, one: float, other: float, rest: float
) -> None:
    less, more = sorted((one, other))
    supports = [reading(bench, Verification(value, rest)).features["supported"] for value in (less, more)]
    denies = [reading(bench, Verification(rest, value)).features["not_contradicted"] for value in (less, more)]
    assert supports[0] <= supports[1]
    assert denies[0] >= denies[1]


def test_a_verifier_that_is_certain_is_bounded(bench: Any) -> None:
    for sure in (Verification(1.0, 0.0), Verification(0.0, 1.0)):
        assert {abs(reading(bench, sure).features[name]) for name in VERIFIER_FEATURES} == {6.0}
