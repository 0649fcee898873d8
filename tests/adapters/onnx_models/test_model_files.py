import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from markscheme.adapters.onnx_models import minilm as minilm_module
from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.model_files import ModelFiles, exported_model, fingerprint
from markscheme.grading.errors import EmbedderError


@pytest.fixture
def copied(tmp_path: Path) -> ModelFiles:
    """The default model in a folder of the test's own."""
    files = minilm_files()
    assert files.weights
    return dataclasses.replace(
        files,
        graph=Path(shutil.copy(files.graph, tmp_path)),
        tokenizer=Path(shutil.copy(files.tokenizer, tmp_path)),
        weights=Path(shutil.copy(files.weights, tmp_path)),
    )


def flip(path: Path, offset: int) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1]))


def test_the_fingerprint_covers_every_file(copied: ModelFiles) -> None:
    before = fingerprint(copied.name, copied.checksums())
    assert before == fingerprint("all-MiniLM-L6-v2", minilm_files().checksums())
    assert copied.weights
    seen = {before}
    for path in (copied.weights, copied.tokenizer, copied.graph):
        flip(path, path.stat().st_size // 2)
        seen.add(fingerprint(copied.name, copied.checksums()))
    assert len(seen) == 4


def test_a_copy_of_the_model_gives_the_same_fingerprint_and_bits(copied: ModelFiles, minilm: OnnxEmbedder) -> None:
    copy = OnnxEmbedder(copied, threads=1)
    assert copy.fingerprint == minilm.fingerprint
    assert (copy.embed(["a text"])[0].vector == minilm.embed(["a text"])[0].vector).all()


def test_weights_that_the_graph_was_not_made_for_are_refused(copied: ModelFiles) -> None:
    assert copied.weights
    flip(copied.weights, 50_000_000)
    with pytest.raises(EmbedderError, match="is not the file that the graph"):
        OnnxEmbedder(copied, threads=1)


def test_cut_off_weights_are_refused(copied: ModelFiles) -> None:
    assert copied.weights
    with copied.weights.open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        OnnxEmbedder(copied, threads=1)


@pytest.mark.parametrize("name", ["graph", "tokenizer", "weights"])
def test_a_missing_file_is_named(copied: ModelFiles, name: str) -> None:
    path: Path = getattr(copied, name)
    path.unlink()
    with pytest.raises(EmbedderError, match=path.name):
        OnnxEmbedder(copied, threads=1)


def test_a_broken_tokenizer_is_refused(copied: ModelFiles) -> None:
    copied.tokenizer.write_text("{}")
    with pytest.raises(EmbedderError, match=r"tokenizer file .* cannot be read"):
        OnnxEmbedder(copied, threads=1)


def test_a_broken_graph_is_refused(copied: ModelFiles) -> None:
    copied.graph.write_bytes(b"no graph")
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        OnnxEmbedder(copied, threads=1)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_module, "PACKAGE", "no_such_package")
    with pytest.raises(EmbedderError, match="MARKSCHEME_EMBEDDER"):
        minilm_files()


@pytest.mark.parametrize("card", [None, "[", "[]", "{}", '{"name": "a", "max_length": "x", "pooling": "mean"}'])
def test_an_incomplete_export_is_refused(tmp_path: Path, card: str | None) -> None:
    if card is not None:
        (tmp_path / "model.json").write_text(card)
    with pytest.raises(EmbedderError, match="markscheme build"):
        exported_model(tmp_path)


def test_a_pooling_that_is_not_known_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"name": "a", "max_length": 8, "pooling": "max"}))
    with pytest.raises(EmbedderError, match="'max'; mean and cls are known"):
        exported_model(tmp_path)
