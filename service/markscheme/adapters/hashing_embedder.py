"""An embedder without a model, for tests, demonstrations and machines where no model can be installed."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.errors import EmbedderError
from markscheme.pipeline.ports import Embedder, Span

_DIMENSION = 64
_MAX_TOKENS = 254
_BYTE_CENTRE = 127.5
# Words of up to two letters say nothing, those of twelve or more are as rare as can be.
_COMMON_LENGTH = 2
_RARE_LENGTH = 12


class HashingEmbedder(Embedder):
    """Gives each word a fixed random direction, so texts are near when they share words, and mean nothing more.

    Fast and deterministic on every machine; it knows no synonyms, and its grades are for trying things out.
    """

    @property
    def fingerprint(self) -> str:
        """The same for ever, until this module gives other vectors."""
        return "hashing@1"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return _DIMENSION

    @property
    def max_tokens(self) -> int:
        """As many as the default model takes, so that limits show up in tests too."""
        return _MAX_TOKENS

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words of each text."""
        return [sum(1 for _ in _words(text)) for text in texts]

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """Embed each text. Raises EmbedderError for a text over `max_tokens`."""
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> Embedding:
        spans = list(_words(text))
        if len(spans) > _MAX_TOKENS:
            message = (
                f"The text starting {text[:40]!r} has {len(spans)} tokens; {self.fingerprint} takes at most "
                f"{_MAX_TOKENS}. Split it: nothing is cut."
            )
            raise EmbedderError(message)
        words = [text[start:end] for start, end in spans]
        tokens = np.array([_direction(word.lower()) for word in words], np.float32).reshape(-1, _DIMENSION)
        total = tokens.sum(axis=0)
        length = np.sqrt(np.square(total).sum())
        lengths = np.array([len(word) for word in words], np.float32)
        rarity = np.clip((lengths - _COMMON_LENGTH) / (_RARE_LENGTH - _COMMON_LENGTH), 0, 1)
        offsets = np.array(spans, np.int32).reshape(-1, 2)
        return Embedding(total / length if length else total, tokens, offsets, rarity.astype(np.float32))


def _words(text: str) -> Iterator[Span]:
    """Runs of letters and digits."""
    start = None
    for position, character in enumerate(text):
        if character.isalnum():
            start = position if start is None else start
        elif start is not None:
            yield start, position
            start = None
    if start is not None:
        yield start, len(text)


@lru_cache(maxsize=4096)
def _direction(word: str) -> Vectors:
    # A lone surrogate is no text in UTF-8; the hash must not be where that comes up.
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_DIMENSION).digest()
    values = np.frombuffer(digest, np.uint8).astype(np.float32) - np.float32(_BYTE_CENTRE)
    direction: Vectors = values / np.sqrt(np.square(values).sum())
    direction.flags.writeable = False
    return direction
