import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files

# In a process of its own, so that torch stays out of the one that runs the tests.
ORACLE = """
import json, sys
import numpy as np
from sentence_transformers import SentenceTransformer
model, texts, out = sys.argv[1:]
vectors = SentenceTransformer(model, device="cpu").encode(json.load(open(texts)), normalize_embeddings=True)
np.save(out, vectors)
"""


@pytest.mark.slow
def test_the_default_model_gives_what_sentence_transformers_gives(
    minilm: OnnxEmbedder, varied_texts: list[str], tmp_path: Path
) -> None:
    texts = [
        *varied_texts[::2],
        "ÜBER Straße",
        "日本語のテキスト",
        "a" * 300,
        "e\u0301",
        "x = y ** 2  # squared\n\n- item",
    ]
    given, out = tmp_path / "texts.json", tmp_path / "vectors.npy"
    given.write_text(json.dumps(texts))
    weights = minilm_files().weights
    assert weights
    subprocess.run([sys.executable, "-c", ORACLE, str(weights.parent), given, out], check=True, capture_output=True)
    ours = np.stack([embedding.vector for embedding in minilm.embed(texts)])
    assert np.abs(ours - np.load(out)).max() < 1e-5
