"""The embedder that serves: any sentence model as ONNX."""

import os
from collections.abc import Sequence

import numpy as np

from markscheme.adapters.onnx_models.model_files import ModelFiles, fingerprint
from markscheme.adapters.onnx_models.runs import runs_of_equal_length
from markscheme.adapters.onnx_models.session import HiddenStates
from markscheme.adapters.onnx_models.tokens import TokenisedText, TokenReader
from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.errors import EmbedderError
from markscheme.pipeline.ports import Embedder


class OnnxEmbedder(Embedder):
    """Embeds with onnxruntime. Many threads may share one.

    Only texts of equal length run together. So there is no padding, nothing that one text in a batch could do to
    another, and the same text gives the same bits alone, in any batch and with any number of threads.
    """

    def __init__(self, files: ModelFiles, threads: int | None = None) -> None:
        """Load a model.

        Args:
            files: the model.
            threads: threads of one run; by default one for each core that this process may use.

        Raises:
            EmbedderError: the model cannot be loaded.
        """
        checksums = files.checksums()
        weights = checksums[files.weights] if files.weights else None
        self._fingerprint = fingerprint(files.name, checksums)
        self._tokens = TokenReader(files.tokenizer)
        self._states = HiddenStates(files, weights, threads or usable_cores())
        self._max_tokens = files.max_length - self._tokens.special_tokens
        self._first_token_only = files.pooling == "cls"

    @property
    def fingerprint(self) -> str:
        """The model's name and 12 hexadecimal digits over its files."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._states.dimension

    @property
    def max_tokens(self) -> int:
        """The longest text, in tokens without the special ones, that `embed` takes."""
        return self._max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones left out. Raises EmbedderError for text that is no Unicode."""
        return [len(self._tokens.read(text).offsets) for text in texts]

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """Embed each text whole; equal texts are embedded once and share one Embedding of read-only arrays.

        Raises:
            EmbedderError: a text is over `max_tokens`, is no well-formed Unicode, or the model gave no finite vector.
        """
        read = {text: self._read(text) for text in dict.fromkeys(texts)}
        done: dict[str, Embedding] = {}
        # A text without tokens of its own goes through no model.
        spoken = [text for text, tokens in read.items() if len(tokens.offsets)]
        for places in runs_of_equal_length([len(read[text].ids) for text in spoken]):
            group = [spoken[at] for at in places]
            hidden = self._states.run(np.stack([read[text].ids for text in group]))
            done |= {text: self._pool(read[text], states) for text, states in zip(group, hidden, strict=True)}
        return [done[text] if text in done else self._without_tokens(read[text]) for text in texts]

    def _read(self, text: str) -> TokenisedText:
        tokens = self._tokens.read(text)
        if len(tokens.offsets) > self._max_tokens:
            message = (
                f"The text starting {text[:40]!r} has {len(tokens.offsets)} tokens; {self._fingerprint} takes at most "
                f"{self._max_tokens}. Split it: nothing is cut."
            )
            raise EmbedderError(message)
        return tokens

    def _pool(self, tokens: TokenisedText, states: Vectors) -> Embedding:
        """The mean takes in the special tokens, as the models were trained; the token vectors leave them out."""
        whole = states[0] if self._first_token_only else states.mean(axis=0)
        vector = self._unit(whole[np.newaxis])[0]
        return _read_only(Embedding(vector, self._unit(states[tokens.own]), tokens.offsets, tokens.rarity))

    def _unit(self, vectors: Vectors) -> Vectors:
        lengths = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            message = (
                f"The embedding model {self._fingerprint} gave a vector without a direction. Its files are damaged."
            )
            raise EmbedderError(message)
        unit: Vectors = vectors / lengths
        return unit

    def _without_tokens(self, tokens: TokenisedText) -> Embedding:
        nothing = np.zeros((0, self.dimension), np.float32)
        return _read_only(Embedding(np.zeros(self.dimension, np.float32), nothing, tokens.offsets, tokens.rarity))


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_only(embedding: Embedding) -> Embedding:
    """Equal texts share one Embedding, so nobody may write into it."""
    for array in (embedding.vector, embedding.tokens, embedding.offsets, embedding.rarity):
        array.flags.writeable = False
    return embedding
