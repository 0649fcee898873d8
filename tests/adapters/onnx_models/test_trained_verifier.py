"""The graph that a training exports, against the model that was trained; all wait for one export."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.verifier import OnnxVerifier
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim, Verification

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verifier(trained_verifier: Any) -> OnnxVerifier:
    return OnnxVerifier(threads=1, graph=trained_verifier.graph)


@pytest.fixture(scope="module")
def alone(trained_verifier: Any, verifier: OnnxVerifier) -> dict[Claim, Verification]:
    return {claim: verifier.verify([claim])[0] for claim in trained_verifier.claims}


def test_it_says_what_the_trained_model_says(trained_verifier: Any, alone: dict[Claim, Verification]) -> None:
    found = np.array([[alone[one].supported, alone[one].contradicted] for one in trained_verifier.claims])
    expected = trained_verifier.probabilities[:, [0, 2]]
    assert np.abs(found - expected).max() < 1e-4
    # A head by chance, but not one that says the same of everything.
    assert np.ptp(expected, axis=0).min() > 0.1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_claim_has_the_same_bits_alone_and_in_any_batch(
    threads: int, trained_verifier: Any, alone: dict[Claim, Verification]
) -> None:
    verifier = OnnxVerifier(threads=threads, graph=trained_verifier.graph)
    claims = trained_verifier.claims
    shuffled = [claims[place] for place in np.random.default_rng(threads).permutation(len(claims))]
    for size in (3, len(shuffled)):
        for start in range(0, len(shuffled), size):
            batch = shuffled[start : start + size]
            assert verifier.verify(batch) == [alone[claim] for claim in batch]


def test_claims_of_one_length_run_together_and_keep_their_bits(verifier: OnnxVerifier) -> None:
    words = ["slow", "fast", "small", "old", "new", "cheap", "large", "cold"]
    claims = [Claim("", f"Caches are {one}", f"I say caches are {other}") for one in words for other in words]
    together = verifier.verify(claims)
    assert len(set(together)) > len(words)
    assert together[::7] == [verifier.verify([claim])[0] for claim in claims[::7]]


def test_many_threads_get_what_one_gets(
    trained_verifier: Any, verifier: OnnxVerifier, alone: dict[Claim, Verification]
) -> None:
    claims = trained_verifier.claims[:12]

    def verify(seed: int) -> bool:
        batch = [claims[place] for place in np.random.default_rng(seed).choice(len(claims), 3, replace=False)]
        return verifier.verify(batch) == [alone[claim] for claim in batch]

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(verify, range(32)))


def test_question_statement_and_passage_each_count(verifier: OnnxVerifier) -> None:
    claim = Claim("What is a cache?", "Caches are fast", "They hold what was read last")
    others = [replace(claim, question=""), replace(claim, statement="Caches are old"), replace(claim, passage="No")]
    turned = replace(claim, statement=claim.passage, passage=claim.statement)
    assert len(set(verifier.verify([claim, *others, turned]))) == 5


def test_the_graph_holds_half_precision_differences_and_no_embeddings(trained_verifier: Any) -> None:
    model = onnx.load(trained_verifier.graph, load_external_data=False)
    held = [one for one in model.graph.initializer if one.data_location != onnx.TensorProto.EXTERNAL]
    wide = {one.name for one in held if one.data_type == onnx.TensorProto.FLOAT and np.prod(one.dims) > 10_000}
    assert wide == set()
    assert all(".layer." in one.name for one in held if one.data_type == onnx.TensorProto.FLOAT16)
    assert trained_verifier.graph.stat().st_size < 22_000_000


def test_without_its_weights_it_is_refused(trained_verifier: Any, tmp_path: Path) -> None:
    moved = replace(minilm_files(), weights=tmp_path / "model.safetensors")
    with pytest.raises(VerifierError, match="cannot be loaded"):
        OnnxVerifier(threads=1, files=moved, graph=trained_verifier.graph)


def test_a_graph_that_was_cut_off_is_refused(trained_verifier: Any, tmp_path: Path) -> None:
    cut = tmp_path / "verifier.onnx"
    cut.write_bytes(trained_verifier.graph.read_bytes()[:-1000])
    with pytest.raises(VerifierError, match="cannot be loaded"):
        OnnxVerifier(threads=1, graph=cut)


def test_the_service_never_loads_torch(trained_verifier: Any) -> None:
    program = """
import json, sys
from pathlib import Path
from markscheme.adapters.onnx_models.verifier import OnnxVerifier
from markscheme.grading.verification import Claim
OnnxVerifier(threads=1, graph=Path(sys.argv[1])).verify([Claim("", "a point", "a passage")])
print(json.dumps([name for name in ("torch", "transformers", "sentence_transformers", "onnx") if name in sys.modules]))
"""
    command = [sys.executable, "-c", program, trained_verifier.graph]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
    assert done.stderr == ""
