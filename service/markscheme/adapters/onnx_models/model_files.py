"""The files that make one embedding model, and what must be known of it to read them."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from markscheme.grading.errors import EmbedderError

Pooling = Literal["mean", "cls"]
POOLINGS = ("mean", "cls")

GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"
CARD = "model.json"


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """One model on disk.

    graph:      the ONNX graph: `ids` (b, t) int64 in, `hidden` (b, t, d) float32 out, no padding.
    tokenizer:  the file that the library `tokenizers` reads.
    weights:    the file that the graph points into by offset, or None where the graph holds its weights.
    card:       the file that the fields below were read from, or None where code states them.
    max_length: the longest text in tokens, special ones included.
    pooling:    how a text's vector comes from those of its tokens: their mean, or the first one.
    """

    name: str
    graph: Path
    tokenizer: Path
    weights: Path | None
    card: Path | None
    max_length: int
    pooling: Pooling = "mean"

    def checksums(self) -> dict[Path, str]:
        """SHA-256 of every file.

        Every byte is read: for the default model 90 MB, 0.07 s of CPU where the processor has SHA instructions.
        Samples would be faster and would miss a single flipped weight, which moves every grade in silence.

        Raises:
            EmbedderError: a file cannot be read.
        """
        return {path: checksum(path) for path in (self.weights, self.tokenizer, self.graph, self.card) if path}


def fingerprint(name: str, checksums: dict[Path, str]) -> str:
    """The model's name and 12 hexadecimal digits over all of its files."""
    return f"{name}@{hashlib.sha256(' '.join(checksums.values()).encode()).hexdigest()[:12]}"


def checksum(path: Path) -> str:
    """SHA-256 of one file, read once as long as its size and time stay the same.

    Raises:
        EmbedderError: the file cannot be read.
    """
    try:
        facts = path.stat()
        return _sha256(path, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        message = f"The embedding model's file {path} cannot be read ({error.strerror}). Install or export it again."
        raise EmbedderError(message) from error


@cache
def _sha256(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - what makes a file another one
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def exported_model(folder: Path) -> ModelFiles:
    """The model that was exported into `folder`.

    Raises:
        EmbedderError: the folder holds no complete export.
    """
    card = folder / CARD
    try:
        facts = json.loads(card.read_text("utf-8"))
        files = ModelFiles(
            name=str(facts["name"]),
            graph=folder / GRAPH,
            tokenizer=folder / TOKENIZER,
            weights=None,
            card=card,
            max_length=int(facts["max_length"]),
            pooling=cast("Pooling", facts["pooling"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder} holds no exported embedding model ({card.name}: {error!r}). Run `markscheme build`."
        raise EmbedderError(message) from error
    if files.pooling not in POOLINGS:
        message = f"{card} asks for the pooling {files.pooling!r}; {' and '.join(POOLINGS)} are known."
        raise EmbedderError(message)
    return files
