import hashlib
import subprocess
import sys

import numpy as np
import pytest

from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.errors import EmbedderError

EMBEDDER = HashingEmbedder()


def test_the_same_text_gives_the_same_bits_in_every_process() -> None:
    program = """
import hashlib
from markscheme.adapters.hashing_embedder import HashingEmbedder
(one,) = HashingEmbedder().embed(["Large batches, naïve 学習"])
print(hashlib.sha256(one.vector.tobytes() + one.tokens.tobytes()).hexdigest())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    (one, _) = EMBEDDER.embed(["Large batches, naïve 学習", "more"])
    assert done.stdout.strip() == hashlib.sha256(one.vector.tobytes() + one.tokens.tobytes()).hexdigest()


def test_texts_that_share_words_are_near() -> None:
    first, second, other = EMBEDDER.embed(["the batch size grows", "Batch size: it GROWS", "museum hours on sunday"])
    assert first.vector @ second.vector > 0.6
    assert abs(first.vector @ other.vector) < 0.5


def test_tokens_are_words_with_their_places() -> None:
    text = "¡naïve data-set 学習! x2"
    (embedding,) = EMBEDDER.embed([text])
    assert [text[start:end] for start, end in embedding.offsets] == ["naïve", "data", "set", "学習", "x2"]
    assert EMBEDDER.count_tokens([text, "", "…"]) == [5, 0, 0]
    assert embedding.tokens.shape == (5, EMBEDDER.dimension)
    assert np.linalg.norm(embedding.tokens, axis=1) == pytest.approx(np.ones(5))
    assert np.linalg.norm(embedding.vector) == pytest.approx(1)


def test_longer_words_are_rarer() -> None:
    (embedding,) = EMBEDDER.embed(["of data regularisation quantisation-aware"])
    assert embedding.rarity.tolist() == pytest.approx([0, 0.2, 1, 1, 0.3])


def test_a_text_without_words_has_no_direction() -> None:
    for embedding in EMBEDDER.embed(["", " … "]):
        assert not embedding.vector.any()
        assert embedding.tokens.shape == (0, EMBEDDER.dimension)
        assert embedding.offsets.shape == (0, 2)


def test_one_word_too_many_is_refused() -> None:
    assert len(EMBEDDER.embed(["word " * EMBEDDER.max_tokens])[0].tokens) == EMBEDDER.max_tokens
    with pytest.raises(EmbedderError, match="has 255 tokens; hashing@1 takes at most 254"):
        EMBEDDER.embed(["word " * 255])


def test_half_a_surrogate_pair_is_no_word_and_no_failure() -> None:
    assert EMBEDDER.count_tokens(["a \ud83d b"]) == [2]
