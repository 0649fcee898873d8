from collections.abc import Sequence
from math import fsum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.grade import Explanation, PointGrade
from markscheme.grading.logistic import sigmoid
from markscheme.grading.rubric import Point
from markscheme.grading.verification import Claim, Verification

SHARP = Point("p1", "Large batches converge to sharp minima", alternatives=("batches never converge",))
WORDS = st.lists(st.sampled_from([*SHARP.text.lower().split(), "flat", "never"]), min_size=1, max_size=7)
SENTENCES = st.lists(WORDS.map(lambda words: " ".join(words) + "."), min_size=1, max_size=4)
SHARE = st.floats(0, 1)


def explained(found: PointGrade) -> Explanation:
    assert found.explanation is not None
    return found.explanation


def adds_up_to(explanation: Explanation) -> float:
    return sigmoid(explanation.average + fsum(one.effect for one in explanation.effects))


@given(SENTENCES)
def test_an_explanation_adds_up_to_the_coverage(bench: Any, sentences: list[str]) -> None:
    (found,) = bench.decide(sentences, SHARP)
    assert adds_up_to(explained(found)) == pytest.approx(found.coverage, abs=1e-4)
    assert [one.name for one in explained(found).effects] == list(bench.calibration.coverage.features)


@given(SENTENCES, SHARE, SHARE)
def test_it_adds_up_with_what_a_verifier_said(bench: Any, sentences: list[str], supported: float, share: float) -> None:
    said = Verification(supported, share * (1 - supported))

    def verify(claims: Sequence[Claim]) -> list[Verification]:
        return [said for _ in claims]

    (found,) = bench.decide(sentences, SHARP, verify=verify)
    explanation = explained(found)
    assert (explanation.supported, explanation.contradicted) == (round(supported, 4), round(said.contradicted, 4))
    if found.status == "contradicted":
        # What is held against a point bounds its coverage; the explanation tells what it was before.
        assert found.coverage <= adds_up_to(explanation) + 1e-4
    else:
        assert adds_up_to(explanation) == pytest.approx(found.coverage, abs=1e-4)


def test_it_names_the_wording_that_was_found_and_where(bench: Any) -> None:
    (found,) = bench.decide(["Museums open late.", "Well, batches never converge."], SHARP)
    explanation = explained(found)
    assert explanation.statement == SHARP.alternatives[0]
    assert explanation.passage == "Museums open late. Well, batches never converge."
    assert (explanation.supported, explanation.contradicted) == (None, None)
    assert explanation.average == bench.calibration.coverage.intercept
    assert explanation.cuts == bench.calibration.cuts


def test_a_value_is_what_was_measured(bench: Any) -> None:
    (found,) = bench.decide([f"{SHARP.text}."], SHARP)
    values = {one.name: one.value for one in explained(found).effects}
    assert values == pytest.approx(
        {"match_passage": 1.0, "weakest_words": 1.0, "meaning_segment": 1.0, "numbers_missing": 0.0}
    )


def test_other_numbers_bound_a_coverage_below_what_adds_up(bench: Any) -> None:
    point = Point("p1", "The default port of the service is 443")
    cuts = bench.calibration.cuts
    (found,) = bench.decide(["The default port of the service is 8080."], point)
    assert found.coverage == pytest.approx((cuts.partial + cuts.covered) / 2)
    assert found.coverage < adds_up_to(explained(found))


def test_a_point_without_a_word_has_nothing_to_explain(bench: Any) -> None:
    assert bench.decide(["Large batches."], Point("p1", "…"))[0].explanation is None
    assert bench.decide([], SHARP)[0].explanation is None
