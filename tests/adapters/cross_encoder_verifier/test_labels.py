import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.cross_encoder_verifier.labels import Labels, read_labels
from markscheme.grading.errors import VerifierError

LOGITS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("names", "supported", "contradicted"),
    [
        (["contradiction", "entailment", "neutral"], 1, 0),
        (["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], 0, 2),
        (["Refutes", "Not Enough Info", "Supports"], 2, 0),
        (["entailment", "not_entailment"], 0, None),
        (["not-supported", "supported"], 1, None),
        (["contradiction", "entailment"], 1, 0),
        (["neutral", "not_entailment", "unsupported", "entails"], 3, None),
    ],
)
def test_outputs_are_found_by_their_names(names: list[str], supported: int, contradicted: int | None) -> None:
    assert read_labels("m", dict(enumerate(names))) == Labels(supported, contradicted, len(names))


@pytest.mark.parametrize("name", ["LABEL_0", "relevance"])
def test_one_output_is_a_score_whatever_its_name(name: str) -> None:
    assert read_labels("m", {0: name}) == Labels(0, None, 1)


@pytest.mark.parametrize(
    "names",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "entailment", 1: "something"},
        {0: "neutral", 1: "contradiction"},
        {0: "entailment", 1: "supported"},
        {0: "entailment", 1: "refutes", 2: "contradiction"},
        {1: "entailment", 2: "neutral"},
        {},
    ],
)
def test_what_would_have_to_be_guessed_is_refused(names: dict[int, str]) -> None:
    with pytest.raises(VerifierError, match=r"The verifier some/model .* under id2label in the config\.json") as caught:
        read_labels("some/model", names)
    assert all(name in str(caught.value) for name in names.values())


def test_probabilities_are_shares_of_the_exponentials() -> None:
    found = Labels(supported=1, contradicted=0, outputs=3).verification([0.0, math.log(2), math.log(5)])
    assert (found.supported, found.contradicted) == pytest.approx((2 / 8, 1 / 8))
    assert Labels(1, None, 2).verification([0.0, 0.0]).contradicted == 0


def test_a_score_becomes_a_probability_by_the_logistic_curve() -> None:
    score = Labels(0, None, 1)
    assert [score.verification([logit]).supported for logit in (-1000.0, 0.0, math.log(3), 1000.0)] == pytest.approx(
        [0, 0.5, 0.75, 1]
    )
    assert score.verification([-2.0]).contradicted == 0


@given(logits=st.lists(LOGITS, min_size=1, max_size=4))
def test_probabilities_are_probabilities(logits: list[float]) -> None:
    outputs = len(logits)
    found = Labels(0, outputs - 1 if outputs > 1 else None, outputs).verification(logits)
    assert 0 <= found.supported <= 1
    assert 0 <= found.contradicted <= 1
    assert found.supported + found.contradicted <= 1
