"""Tokens of a text: their ids, where they stand, and how rare they are."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import EmbedderError

# What vocabularies put before or after a piece to say that it starts or continues a word.
_PIECE_MARKS = "#▁Ġ"


@dataclass(frozen=True, slots=True, eq=False)
class TokenisedText:
    """One text as the model reads it.

    ids:     (t + s,) int64, with the s special tokens that the model wants around the text.
    own:     (t + s,) bool, true for the tokens of the text itself.
    offsets: (t, 2) int32, characters of the text, end exclusive.
    rarity:  (t,) float32 in 0..1.
    """

    ids: NDArray[np.int64]
    own: NDArray[np.bool_]
    offsets: NDArray[np.int32]
    rarity: Vectors


def open_tokenizer(file: Path) -> Tokenizer:
    """A tokenizer that takes every text whole, as text. Raises EmbedderError where the file cannot be read."""
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:
        message = f"The tokenizer file {file} cannot be read ({error}). Install or export the model again."
        raise EmbedderError(message) from error
    # Tokenizer files bring the habits of their training: the default one cuts and pads every text to 128 tokens.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # An answer that spells out "[SEP]" must not be able to say that it has ended.
    tokenizer.encode_special_tokens = True
    return tokenizer


class TokenReader:
    """Reads texts with one tokenizer file. Never changed once made, so many threads may share it."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = open_tokenizer(file)
        self._rarity = _rarity_by_id(self._tokenizer.get_vocab(with_added_tokens=True))

    @property
    def special_tokens(self) -> int:
        """How many special tokens stand around each text."""
        return self._tokenizer.num_special_tokens_to_add(is_pair=False)

    def read(self, text: str) -> TokenisedText:
        """Tokenise one text, whole.

        Raises:
            EmbedderError: the text holds half of a surrogate pair, which is no character.
        """
        try:
            encoding = self._tokenizer.encode(text)
        except TypeError as error:
            message = "The text holds half of a surrogate pair and cannot be tokenised. Send well-formed Unicode."
            raise EmbedderError(message) from error
        ids = np.array(encoding.ids, np.int64)
        own = np.array(encoding.special_tokens_mask, np.int8) == 0
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)[own]
        return TokenisedText(ids, own, offsets, self._rarity_of(encoding, ids, own))

    def _rarity_of(self, encoding: Encoding, ids: NDArray[np.int64], own: NDArray[np.bool_]) -> Vectors:
        """A word is as rare as its rarest piece: frequent pieces of a rare word say little on their own."""
        words = np.array([-1 if word is None else word for word in encoding.word_ids], np.int64)[own]
        pieces: Vectors = self._rarity[ids[own]]
        if not len(pieces):
            return pieces
        rarest = np.zeros(words.max() + 1, np.float32)
        np.maximum.at(rarest, words, pieces)
        of_words: Vectors = rarest[words]
        return of_words


def _rarity_by_id(vocabulary: dict[str, int]) -> Vectors:
    """Rarity from the rank in the vocabulary, which is ordered by frequency: 0 for the first word, 1 for the last.

    Special tokens and single characters stand before the first word; they, and whatever has no letter or digit,
    say nothing and get 0.
    """
    size = max(vocabulary.values()) + 1
    first = min((rank for token, rank in vocabulary.items() if _is_word(token)), default=0)
    ranks = np.maximum(0, np.arange(size) - first + 1)
    rarity: Vectors = (np.log1p(ranks) / np.log1p(size - first + 1)).astype(np.float32)
    silent = [rank for token, rank in vocabulary.items() if not any(character.isalnum() for character in token)]
    rarity[silent] = 0
    return rarity


def _is_word(token: str) -> bool:
    bare = token.strip(_PIECE_MARKS)
    return len(bare) > 1 and bare.isalpha()
