import dataclasses
import hashlib
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.model_files import ModelFiles
from markscheme.adapters.onnx_models.verifier import OnnxVerifier
from markscheme.grading.errors import EmbedderError, VerifierError
from markscheme.grading.verification import Claim, Verification

CLAIM = Claim("Why?", "a point", "it said so")


@pytest.fixture
def files(tmp_path: Path) -> ModelFiles:
    """The tokenizer of MiniLM beside a weights file of a few bytes, which a graph can be made for."""
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"few")
    return dataclasses.replace(minilm_files(), weights=weights)


def small_graph(files: ModelFiles, *, factor: float = 1.0, ids: str = "ids", made_for: bytes = b"few") -> Path:
    """A verifier without a model: supported is the share of the passage's tokens, contradicted a tenth of the rest."""
    nodes = [
        helper.make_node("Cast", ["kinds"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Add", [ids, "kinds"], ["read"]),
        helper.make_node("ReduceMean", ["floats", "last"], ["share"], keepdims=1),
        helper.make_node("Sub", ["factor", "share"], ["rest"]),
        helper.make_node("Mul", ["rest", "tenth"], ["against"]),
        helper.make_node("Sub", ["rest", "against"], ["neither"]),
        helper.make_node("Concat", ["share", "neither", "against"], ["probabilities"], axis=1),
    ]
    constants = [
        helper.make_tensor("last", TensorProto.INT64, [1], [1]),
        helper.make_tensor("factor", TensorProto.FLOAT, [1], [factor]),
        helper.make_tensor("tenth", TensorProto.FLOAT, [1], [0.1]),
    ]
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"]) for name in (ids, "kinds")]
    found = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["b", 3])
    model = helper.make_model(
        helper.make_graph(nodes, "small", given, [found], constants),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=8,
    )
    helper.set_model_props(model, {"weights_sha256": hashlib.sha256(made_for).hexdigest()})
    return written(model, files)


def written(model: ModelProto, files: ModelFiles) -> Path:
    assert files.weights
    path = files.weights.with_name("verifier.onnx")
    path.write_bytes(model.SerializeToString())
    return path


def verifier_of(files: ModelFiles, graph: Path) -> OnnxVerifier:
    return OnnxVerifier(threads=1, files=files, graph=graph)


def test_supported_and_contradicted_are_the_outer_two_of_three(files: ModelFiles) -> None:
    # [CLS] why ? [SEP] a point [SEP] it said so [SEP]: the last four of eleven are the passage's.
    (found,) = verifier_of(files, small_graph(files)).verify([CLAIM])
    assert found.supported == pytest.approx(4 / 11)
    assert found.contradicted == pytest.approx(0.7 / 11)


def test_claims_are_judged_in_order_and_equal_ones_once(files: ModelFiles) -> None:
    verifier = verifier_of(files, small_graph(files))
    longer = Claim("", "a point", "it said so " * 9)
    first, other, again = verifier.verify([CLAIM, longer, dataclasses.replace(CLAIM)])
    assert first is again
    assert [other] == verifier.verify([longer])
    assert other.supported > first.supported
    assert verifier.verify([]) == []


def test_what_judging_costs_is_told_in_tokens(files: ModelFiles) -> None:
    verifier = verifier_of(files, small_graph(files))
    assert verifier.tokens_of([CLAIM]) == 11
    assert verifier.tokens_of([CLAIM, CLAIM, Claim("", "a point", "so")]) == 11 + 6
    assert verifier.tokens_of([]) == 0


def test_the_fingerprint_covers_graph_and_tokenizer(files: ModelFiles, tmp_path: Path) -> None:
    seen = {verifier_of(files, small_graph(files)).fingerprint, verifier_of(files, small_graph(files)).fingerprint}
    (name,) = {one.partition("@")[0] for one in seen}
    assert name == "minilm-verifier"
    assert len(seen) == 1
    seen.add(verifier_of(files, small_graph(files, factor=0.9)).fingerprint)
    spaced = tmp_path / "tokenizer.json"
    spaced.write_bytes(files.tokenizer.read_bytes() + b"\n")
    seen.add(verifier_of(dataclasses.replace(files, tokenizer=spaced), small_graph(files)).fingerprint)
    assert len(seen) == 3
    assert all(len(one.partition("@")[2]) == 12 for one in seen)


def test_by_default_it_uses_the_cores_of_this_process(files: ModelFiles) -> None:
    graph = small_graph(files)
    assert OnnxVerifier(files=files, graph=graph).verify([CLAIM]) == verifier_of(files, graph).verify([CLAIM])


def test_a_missing_graph_is_named(files: ModelFiles, tmp_path: Path) -> None:
    with pytest.raises(VerifierError, match=f"{tmp_path / 'none.onnx'} cannot be loaded .*MARKSCHEME_VERIFIER to off"):
        verifier_of(files, tmp_path / "none.onnx")


@pytest.mark.parametrize("kept", [0, 10, -20])
def test_a_damaged_graph_is_refused(files: ModelFiles, kept: int) -> None:
    graph = small_graph(files)
    graph.write_bytes(graph.read_bytes()[:kept] or b"no graph")
    with pytest.raises(VerifierError, match="cannot be loaded"):
        verifier_of(files, graph)


def test_other_weights_than_the_graph_corrects_are_refused(files: ModelFiles) -> None:
    with pytest.raises(VerifierError, match=r"safetensors is not the file that .*onnx corrects"):
        verifier_of(files, small_graph(files, made_for=b"others"))


def test_a_graph_that_names_no_weights_is_refused(files: ModelFiles) -> None:
    model = onnx.load(small_graph(files))
    del model.metadata_props[:]
    with pytest.raises(VerifierError, match="is not the file that"):
        verifier_of(files, written(model, files))


def test_a_model_that_holds_its_own_weights_cannot_be_corrected(files: ModelFiles) -> None:
    with pytest.raises(VerifierError, match="all-MiniLM-L6-v2 names none"):
        verifier_of(dataclasses.replace(files, weights=None), small_graph(files))


def test_a_broken_tokenizer_is_named(files: ModelFiles, tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{}")
    with pytest.raises(EmbedderError, match=r"tokenizer file .* cannot be read"):
        verifier_of(dataclasses.replace(files, tokenizer=broken), small_graph(files))


def test_what_is_no_probability_is_refused(files: ModelFiles) -> None:
    verifier = verifier_of(files, small_graph(files, factor=float("nan")))
    with pytest.raises(VerifierError, match=r"^The verifier minilm-verifier@\w{12} gave something that is no prob"):
        verifier.verify([CLAIM])


def test_a_graph_with_other_inputs_is_refused(files: ModelFiles) -> None:
    verifier = verifier_of(files, small_graph(files, ids="tokens"))
    with pytest.raises(VerifierError, match=r"failed on a batch of shape \(1, 11\)"):
        verifier.verify([CLAIM])


def test_probabilities_leave_room_for_neither(files: ModelFiles) -> None:
    found = verifier_of(files, small_graph(files)).verify([Claim("", "a", "b " * n) for n in range(30)])
    assert all(isinstance(one, Verification) and 0 <= one.supported + one.contradicted <= 1 for one in found)
    assert np.diff([one.supported for one in found]).min() > 0
