import contextlib
import io
import string
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

WORDS = ["the", "batch", "grows", "noise", "gradient", "memory", "shrinks", "a", "of", "why", "does", "it"]
POSITIONS = 48


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder with a random BERT of two layers, the same weights for the same number of outputs."""

    def make(names: Sequence[str] = (), *, outputs: int = 3, scale: float = 1.0) -> Path:
        home = tmp_path_factory.mktemp("models")
        letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
        (home / "vocab.txt").write_text("\n".join(dict.fromkeys(pieces + WORDS)))
        tokenizer = BertTokenizer(str(home / "vocab.txt"))
        labels = {"id2label": dict(enumerate(names))} if names else {"num_labels": outputs}
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=POSITIONS,
            initializer_range=0.5,
            **labels,
        )
        torch.manual_seed(5)
        model = BertForSequenceClassification(config)
        with torch.no_grad():
            model.classifier.weight *= scale
        with contextlib.redirect_stderr(io.StringIO()):
            model.save_pretrained(home / "tiny")
        tokenizer.save_pretrained(home / "tiny")
        return home / "tiny"

    return make


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)
