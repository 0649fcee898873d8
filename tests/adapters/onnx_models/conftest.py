import pytest

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files


@pytest.fixture(scope="session")
def minilm() -> OnnxEmbedder:
    return OnnxEmbedder(minilm_files(), threads=1)


@pytest.fixture(scope="session")
def varied_texts() -> list[str]:
    """Sixty texts of 1 to about 240 tokens, several of them equally long."""
    words = ["batch", "gradient", "7", "latency,", "the", "of", "overfitting", "cache?", "model—", "naïve", "学習"]
    words += ["loss", "(pruned)", "🙂", "quantised", "data"]
    lengths = [*range(1, 31), *range(2, 60, 3), *range(60, 125, 20), 31, 31, 31, 17]
    return [
        " ".join(words[(place * 5 + step * 3) % len(words)] for step in range(n)) for place, n in enumerate(lengths)
    ]
