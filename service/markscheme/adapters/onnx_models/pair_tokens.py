"""A point and a passage as one row of tokens: what the verifier reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from markscheme.adapters.onnx_models.tokens import open_tokenizer
from markscheme.grading.errors import EmbedderError

# The end of a question asks; what stands before sets the scene.
QUESTION_TOKENS = 32
# Positions that the model has.
MOST_TOKENS = 512
SPECIAL_TOKENS = 4
FIRST, BETWEEN = "[CLS]", "[SEP]"


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Token ids, and at which of them the passage begins."""

    ids: list[int]
    passage: int


class PairEncoder:
    """Joins question, point and passage: [CLS] question [SEP] point [SEP] passage [SEP]."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = open_tokenizer(file)
        first, between = (self._tokenizer.token_to_id(token) for token in (FIRST, BETWEEN))
        if first is None or between is None:
            message = f"The tokenizer {file} knows no {FIRST} or no {BETWEEN}, which the verifier was trained with."
            raise EmbedderError(message)
        self._first, self._between = first, between

    def encode(self, pairs: Iterable[tuple[str, str, str]]) -> list[EncodedPair]:
        """Encode (question, point, passage) triples; the question may be empty.

        Of the question the last 32 tokens are kept. Point and passage stay whole, unless all together pass the 512
        positions of the model: then the end of the passage goes. A point alone may have 476 tokens; the grader sends
        none of more than 254.
        """
        return [self._join(*pair) for pair in pairs]

    def _join(self, question: str, point: str, passage: str) -> EncodedPair:
        asked = self._ids(question)[-QUESTION_TOKENS:] if question else []
        told = self._ids(point)[: MOST_TOKENS - QUESTION_TOKENS - SPECIAL_TOKENS]
        before = [self._first, *asked, *([self._between] if asked else []), *told, self._between]
        said = self._ids(passage)[: MOST_TOKENS - len(before) - 1]
        return EncodedPair([*before, *said, self._between], len(before))

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
