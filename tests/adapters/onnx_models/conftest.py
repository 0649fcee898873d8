import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.grading.verification import Claim

# Stands in for a training: MiniLM with a little noise on every layer and a head by chance. Says with torch what it
# finds in the claims, then exports itself as a trained one would be. In a process of its own: torch is large.
MAKE_VERIFIER = """
import json, sys
from pathlib import Path
evaluation, folder, claims = sys.argv[1:]
sys.path.insert(0, evaluation)
import export_verifier, numpy as np, torch
from verifier_model import Encoded, VerifierModel, probabilities
from verifier_pairs import NEITHER, Pair
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.pair_tokens import PairEncoder
torch.set_num_threads(1)
torch.manual_seed(3)
model = VerifierModel()
with torch.no_grad():
    for name, parameter in model.encoder.named_parameters():
        if ".layer." in name:
            parameter += 0.005 * torch.randn_like(parameter)
    model.head.weight.normal_(std=0.1)
    model.head.bias.normal_(std=0.1)
torch.save(model.state_dict(), f"{folder}/trained.pt")
pairs = [Pair(statement, passage, NEITHER, question) for question, statement, passage in json.loads(claims)]
encoded = Encoded.of(pairs, PairEncoder(minilm_files().tokenizer))
np.save(f"{folder}/probabilities.npy", probabilities(model, encoded))
sys.argv = ["export_verifier", f"{folder}/trained.pt", "--out", f"{folder}/verifier.onnx"]
export_verifier.main()
"""
EVALUATION = Path(__file__).parents[3] / "evaluation"


@dataclass(frozen=True, slots=True, eq=False)
class TrainedVerifier:
    """A graph as training leaves it, and what torch says of each claim: supported, neither, contradicted, (n, 3)."""

    graph: Path
    claims: list[Claim]
    probabilities: NDArray[np.float32]


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


@pytest.fixture(scope="session")
def trained_verifier(varied_texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> TrainedVerifier:
    """The tests that need it are slow together: the first of them waits for it."""
    folder = tmp_path_factory.mktemp("verifier")
    questions = ["", "What does a cache cost?", "the scene " * 40 + "and the question?"]
    claims = [
        Claim(questions[place % 3], varied_texts[-place], passage)
        for place, passage in enumerate(varied_texts[:40:2] + varied_texts[50:])
    ]
    claims += [Claim("", "Caches are fast", f"Caches are {word}") for word in ("slow", "fast", "small", "old")]
    given = json.dumps([[one.question, one.statement, one.passage] for one in claims])
    subprocess.run([sys.executable, "-c", MAKE_VERIFIER, EVALUATION, folder, given], check=True, capture_output=True)
    return TrainedVerifier(folder / "verifier.onnx", claims, np.load(folder / "probabilities.npy"))
