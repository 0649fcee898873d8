import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from onnx import TensorProto, helper

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.model_files import exported_model
from markscheme.grading.errors import EmbedderError


def test_every_vector_has_unit_length_and_one_token_vector_a_token(
    minilm: OnnxEmbedder, varied_texts: list[str]
) -> None:
    counts = minilm.count_tokens(varied_texts)
    for count, embedding in zip(counts, minilm.embed(varied_texts), strict=True):
        assert embedding.vector.shape == (minilm.dimension,) == (384,)
        assert embedding.tokens.shape == (count, 384)
        assert embedding.offsets.shape == (count, 2)
        assert embedding.rarity.shape == (count,)
        assert {embedding.vector.dtype, embedding.tokens.dtype, embedding.rarity.dtype} == {np.dtype(np.float32)}
        assert embedding.offsets.dtype == np.int32
        assert np.linalg.norm(embedding.vector) == pytest.approx(1, abs=1e-6)
        assert np.linalg.norm(embedding.tokens, axis=1) == pytest.approx(np.ones(count), abs=1e-6)


def test_meaning_is_near_and_other_things_are_far(minilm: OnnxEmbedder) -> None:
    point, paraphrase, other = minilm.embed(
        [
            "Large batches reduce the noise of the gradient.",
            "With more examples in each step the gradient estimate varies less.",
            "The museum opens at nine on Sundays.",
        ]
    )
    assert point.vector @ paraphrase.vector > 0.5
    assert point.vector @ other.vector < 0.2


@pytest.mark.parametrize("text", ["", "   \n\t", "\u200b\u200d"])
def test_a_text_without_tokens_has_no_direction(minilm: OnnxEmbedder, text: str) -> None:
    (embedding,) = minilm.embed([text])
    assert embedding.vector.shape == (384,)
    assert not embedding.vector.any()
    assert embedding.tokens.shape == (0, 384)
    assert embedding.offsets.shape == (0, 2)
    assert embedding.rarity.shape == (0,)


def test_nothing_gives_nothing(minilm: OnnxEmbedder) -> None:
    assert minilm.embed([]) == []
    assert minilm.count_tokens([]) == []


def test_equal_texts_share_what_nobody_can_change(minilm: OnnxEmbedder) -> None:
    first, empty, second, _ = minilm.embed(["a point", "", "a point", "another"])
    assert first is second
    for array in (first.vector, first.tokens, first.offsets, first.rarity, empty.vector):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_the_longest_text_passes_and_one_token_more_is_refused(minilm: OnnxEmbedder) -> None:
    assert minilm.max_tokens == 254
    (longest,) = minilm.embed(["word " * 254])
    assert len(longest.tokens) == 254
    with pytest.raises(EmbedderError, match=r"has 255 tokens; all-MiniLM-L6-v2@[0-9a-f]{12} takes at most 254"):
        minilm.embed(["fine", "word " * 255])


def test_the_end_of_a_long_text_counts(minilm: OnnxEmbedder) -> None:
    filler = "the data " * 100
    first, second = minilm.embed([filler + "shuffle", filler + "quantise"])
    assert (first.vector != second.vector).any()


def test_half_a_surrogate_pair_is_refused(minilm: OnnxEmbedder) -> None:
    with pytest.raises(EmbedderError, match="surrogate"):
        minilm.embed(["a \ud83d b"])


def test_by_default_it_uses_the_cores_of_this_process() -> None:
    assert OnnxEmbedder(minilm_files()).embed(["one"])[0].vector.any()


def test_the_service_never_loads_torch() -> None:
    program = """
import json, sys
from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
OnnxEmbedder(minilm_files(), threads=1).embed(["Hello"])
print(json.dumps([name for name in ("torch", "transformers", "sentence_transformers", "onnx") if name in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
    assert done.stderr == ""


@pytest.fixture
def scaling_model(tmp_path: Path) -> Path:
    """An export whose hidden states are the ids times a factor: small enough to break on purpose."""
    (tmp_path / "tokenizer.json").write_bytes(minilm_files().tokenizer.read_bytes())
    card = {"name": "scaling", "pooling": "mean", "max_length": 16}
    (tmp_path / "model.json").write_text(json.dumps(card))
    return tmp_path


def write_scaling_graph(folder: Path, factor: float, ids: str = "ids") -> None:
    nodes = [
        helper.make_node("Cast", [ids], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["floats", "last"], ["column"]),
        helper.make_node("Mul", ["column", "factor"], ["hidden"]),
    ]
    constants = [
        helper.make_tensor("last", TensorProto.INT64, [1], [2]),
        helper.make_tensor("factor", TensorProto.FLOAT, [2], [factor, 1.0]),
    ]
    given = helper.make_tensor_value_info(ids, TensorProto.INT64, ["b", "t"])
    hidden = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["b", "t", 2])
    graph = helper.make_graph(nodes, "scaling", [given], [hidden], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def test_it_serves_any_exported_graph(scaling_model: Path) -> None:
    write_scaling_graph(scaling_model, 1.0)
    embedder = OnnxEmbedder(exported_model(scaling_model), threads=1)
    assert embedder.dimension == 2
    assert embedder.max_tokens == 14
    assert embedder.embed(["hello"])[0].vector == pytest.approx([2**-0.5, 2**-0.5])


def test_a_vector_that_is_not_finite_is_refused(scaling_model: Path) -> None:
    write_scaling_graph(scaling_model, float("nan"))
    with pytest.raises(EmbedderError, match="without a direction"):
        OnnxEmbedder(exported_model(scaling_model), threads=1).embed(["hello"])


def test_a_graph_with_other_inputs_is_refused(scaling_model: Path) -> None:
    write_scaling_graph(scaling_model, 1.0, ids="tokens")
    embedder = OnnxEmbedder(exported_model(scaling_model), threads=1)
    with pytest.raises(EmbedderError, match=r"failed on a batch of shape \(1, 3\)"):
        embedder.embed(["hello"])


@pytest.mark.slow
def test_memory_does_not_grow_with_the_shapes_that_were_seen(minilm: OnnxEmbedder) -> None:
    def embed(length: int) -> None:
        minilm.embed([f"{'word ' * length}{row}" for row in range(1 + 200 // length)])

    process = psutil.Process()
    for length in range(1, 250, 25):
        embed(length)
    before = process.memory_info().rss
    for length in range(2, 250, 3):
        embed(length)
    assert process.memory_info().rss - before < 20 * 2**20
