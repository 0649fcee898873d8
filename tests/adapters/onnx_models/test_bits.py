from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.grading.embedding import Embedding


@pytest.fixture(scope="module")
def alone(minilm: OnnxEmbedder, varied_texts: list[str]) -> dict[str, Embedding]:
    return {text: minilm.embed([text])[0] for text in varied_texts}


def same_bits(first: Embedding, second: Embedding) -> bool:
    return (
        first.vector.tobytes() == second.vector.tobytes()
        and first.tokens.tobytes() == second.tokens.tobytes()
        and np.array_equal(first.offsets, second.offsets)
        and np.array_equal(first.rarity, second.rarity)
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_a_text_has_the_same_bits_alone_and_in_any_batch(
    threads: int, varied_texts: list[str], alone: dict[str, Embedding]
) -> None:
    embedder = OnnxEmbedder(minilm_files(), threads=threads)
    shuffled = [varied_texts[place] for place in np.random.default_rng(threads).permutation(len(varied_texts))]
    for size in (3, len(shuffled)):
        for start in range(0, len(shuffled), size):
            batch = shuffled[start : start + size]
            for text, embedding in zip(batch, embedder.embed(batch), strict=True):
                assert same_bits(embedding, alone[text]), (size, text)


def test_texts_of_one_length_run_together_and_keep_their_bits(minilm: OnnxEmbedder) -> None:
    texts = [f"the {word} loss of a model" for word in ("high", "low", "mean", "sum", "train", "test")] * 20
    texts += [f"{text} and more" for text in texts[:40]]
    together = minilm.embed(texts)
    for text, embedding in zip(texts[::13], together[::13], strict=True):
        assert same_bits(embedding, minilm.embed([text])[0])


def test_thirty_two_threads_get_what_one_gets(
    minilm: OnnxEmbedder, varied_texts: list[str], alone: dict[str, Embedding]
) -> None:
    short = [text for text in varied_texts if len(text) < 100]

    def embed(seed: int) -> bool:
        batch = [short[place] for place in np.random.default_rng(seed).choice(len(short), 3, replace=False)]
        return all(same_bits(one, alone[text]) for text, one in zip(batch, minilm.embed(batch), strict=True))

    with ThreadPoolExecutor(32) as threads:
        assert all(threads.map(embed, range(64)))
