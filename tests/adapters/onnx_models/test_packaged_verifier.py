"""The verifier that ships: that it reads, and the same way each time. How well it reads is measured elsewhere."""

import numpy as np
import onnx
import pytest

from markscheme.adapters.onnx_models.verifier import GRAPH, OnnxVerifier
from markscheme.grading.verification import Claim

QUESTION = "Why are large batches not always better?"
POINT = "Large batches converge to sharp minima."
SAID = [
    "Large batches end up in sharp minima.",
    "Large batches converge to flat minima, never to sharp ones.",
    "The museum opens at nine on Sundays.",
]


@pytest.fixture(scope="module")
def verifier() -> OnnxVerifier:
    return OnnxVerifier(threads=1)


def test_it_tells_what_says_a_point_from_what_denies_it_and_from_the_rest(verifier: OnnxVerifier) -> None:
    says, denies, other = verifier.verify([Claim(QUESTION, POINT, passage) for passage in SAID])
    assert says.supported > 0.5 > max(denies.supported, other.supported)
    assert denies.contradicted > 0.5 > max(says.contradicted, other.contradicted)


def test_a_claim_has_the_same_bits_alone_and_in_any_batch(verifier: OnnxVerifier) -> None:
    words = ["slow", "fast", "small", "old", "new", "cheap", "large", "cold"]
    claims = [Claim("", f"Caches are {one}", f"I say caches are {other}") for one in words for other in words]
    claims += [Claim(QUESTION, POINT, " ".join(SAID[:count])) for count in range(4)]
    together = verifier.verify(claims)
    assert together[::5] == [verifier.verify([claim])[0] for claim in claims[::5]]


def test_a_passage_says_itself(verifier: OnnxVerifier) -> None:
    found = verifier.verify([Claim(QUESTION, text, text) for text in SAID])
    assert min(one.supported for one in found) > 0.5


def test_it_holds_what_was_learned_and_no_weights_of_the_model() -> None:
    model = onnx.load(GRAPH, load_external_data=False)
    held = [one for one in model.graph.initializer if one.data_location != onnx.TensorProto.EXTERNAL]
    assert not [one.name for one in held if one.data_type == onnx.TensorProto.FLOAT and np.prod(one.dims) > 10_000]
    assert GRAPH.stat().st_size < 22_000_000
