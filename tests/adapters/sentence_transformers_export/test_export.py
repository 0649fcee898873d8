import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.model_files import exported_model
from markscheme.adapters.sentence_transformers_export.export import export_model, exported_folder
from markscheme.grading.errors import EmbedderError

TEXTS = ["the batch grows", "a", "Gradient, gradient: noise!", "memory of the cache " * 6, "naïve ones", "zq"]

# Makes a small random model and what sentence-transformers itself gives for the texts, away from the tests' process.
MAKE = """
import json, sys
import numpy as np, torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizerFast
folder, pooling, extra, texts = sys.argv[1:]
torch.manual_seed(3)
words = "the batch grows gradient noise memory of cache naive ones a , : !".split()
letters = [chr(code) for code in range(97, 123)]
pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters), *words]
open(f"{folder}/vocab.txt", "w").write("\\n".join(dict.fromkeys(pieces)))
tokenizer = BertTokenizerFast(f"{folder}/vocab.txt")
config = BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=64, max_position_embeddings=64, initializer_range=0.5)
BertModel(config).save_pretrained(f"{folder}/bert")
tokenizer.save_pretrained(f"{folder}/bert")
transformer = Transformer(f"{folder}/bert", max_seq_length=48)
modules = [transformer, Pooling(32, pooling)]
if extra == "normalize": modules.append(Normalize())
if extra == "dense": modules.append(Dense(32, 16))
model = SentenceTransformer(modules=modules, device="cpu")
if extra == "prompt":
    model.prompts, model.default_prompt_name = {"query": "query: "}, "query"
model.save(f"{folder}/model")
np.save(f"{folder}/vectors.npy", model.encode(json.loads(texts), normalize_embeddings=True))
"""

# Exports in a process of its own, since other tests load torch into theirs.
EXPORT = """
import sys
from pathlib import Path
from markscheme.adapters.sentence_transformers_export.export import export_model
print(export_model(sys.argv[1], Path(sys.argv[2])))
print("torch" in sys.modules)
"""


def make_model(folder: Path, pooling: str, extra: str) -> Path:
    command = [sys.executable, "-c", MAKE, str(folder), pooling, extra, json.dumps(TEXTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "model"


@pytest.mark.slow
@pytest.mark.parametrize(("pooling", "extra"), [("mean", "normalize"), ("cls", "none")])
def test_an_exported_model_gives_what_sentence_transformers_gives(tmp_path: Path, pooling: str, extra: str) -> None:
    model = make_model(tmp_path, pooling, extra)
    cache = tmp_path / "models"
    folder = exported_folder(str(model), cache)
    command = [sys.executable, "-c", EXPORT, str(model), str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(folder), "False"]
    assert [path.name for path in cache.iterdir()] == [folder.name]
    embedder = OnnxEmbedder(exported_model(folder), threads=1)
    assert embedder.dimension == 32
    assert embedder.max_tokens == 46
    assert embedder.fingerprint.startswith("model@")
    ours = np.stack([embedding.vector for embedding in embedder.embed(TEXTS)])
    assert np.abs(ours - np.load(tmp_path / "vectors.npy")).max() < 1e-5

    written = (folder / "model.onnx").stat().st_mtime_ns
    assert export_model(str(model), cache) == folder
    assert (folder / "model.onnx").stat().st_mtime_ns == written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pooling", "extra", "reason"),
    [
        ("max", "none", "Its pooling is max; mean and cls can be exported"),
        ("mean", "dense", "It is made of Transformer, Pooling, Dense"),
        ("mean", "prompt", "It puts the prompt 'query' before every text"),
    ],
)
def test_what_an_export_cannot_hold_is_refused(tmp_path: Path, pooling: str, extra: str, reason: str) -> None:
    model = make_model(tmp_path, pooling, extra)
    with pytest.raises(EmbedderError, match=f"{reason}.*MARKSCHEME_EMBEDDER"):
        export_model(str(model), tmp_path / "models")
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.slow
def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbedderError, match=r"empty cannot be exported: .*MARKSCHEME_EMBEDDER"):
        export_model(str(tmp_path / "empty"), tmp_path / "models")


def test_a_model_that_is_trained_again_gets_another_place(tmp_path: Path) -> None:
    cache = tmp_path / "models"
    model = tmp_path / "my model"
    (model / "part").mkdir(parents=True)
    weights = model / "part" / "weights"
    weights.write_text("one")
    (model / "dangling").symlink_to(tmp_path / "nowhere")
    before = exported_folder(str(model), cache)
    assert before.parent == cache
    assert before.name.startswith("my-model-")
    assert exported_folder(str(model), cache) == before
    os.utime(weights, ns=(1, 1))
    assert exported_folder(str(model), cache) != before


def test_ids_become_names_of_folders(tmp_path: Path) -> None:
    first, second = (exported_folder(name, tmp_path) for name in ("owner/model-v1", "other/model-v1"))
    assert first.name.startswith("model-v1-")
    assert first != second
    assert first.parent == second.parent == tmp_path
    assert exported_folder("owner/..", tmp_path).parent == tmp_path


def test_a_cache_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbedderError, match=r"cannot be exported to .*file/models"):
        export_model("some/model", tmp_path / "file" / "models")
