"""The files of one build: vectors for FAISS, tokens as plain arrays, rubrics as lines."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import faiss
import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from markscheme.adapters.faiss_index import manifest as on_disk
from markscheme.adapters.faiss_index.manifest import QuestionEntry
from markscheme.adapters.faiss_index.records import to_line
from markscheme.grading.embedding import Embedding, Vectors
from markscheme.pipeline.ports import IndexedRubric


def write_files(
    folder: Path, rubrics: Sequence[IndexedRubric], questions: Vectors, dimension: int
) -> tuple[QuestionEntry, ...]:
    """Write every file of a build but its manifest, and say where each question stands. Raises OSError."""
    embeddings = [embedding for rubric in rubrics for embedding in rubric.embeddings]
    starts = np.cumsum([0, *(len(embedding.tokens) for embedding in embeddings)], dtype=np.int64)
    _write_rows(folder / on_disk.POINTS, [embedding.vector for embedding in embeddings], dimension)
    _write_rows(folder / on_disk.QUESTIONS, list(questions), dimension)
    _write_tokens(folder, embeddings, starts, dimension)
    lines = "".join(f"{to_line(rubric.rubric, rubric.statements)}\n" for rubric in rubrics)
    (folder / on_disk.RUBRICS).write_text(lines, "utf-8", newline="\n")
    return tuple(_places(rubrics, starts))


def _write_rows(path: Path, vectors: list[Vectors], dimension: int) -> None:
    index = faiss.IndexFlatIP(dimension)
    if vectors:
        index.add(np.stack(vectors))
    path.write_bytes(faiss.serialize_index(index).tobytes())


def _write_tokens(folder: Path, embeddings: Sequence[Embedding], starts: NDArray[np.int64], dimension: int) -> None:
    # Written through a map: the tokens of a large bank, most of them mapped from the build before, need no memory.
    tokens = open_memmap(folder / on_disk.VECTORS, "w+", np.float32, (int(starts[-1]), dimension))
    offsets = np.zeros((int(starts[-1]), 2), np.int32)
    rarity = np.zeros(int(starts[-1]), np.float32)
    for embedding, start, stop in zip(embeddings, starts[:-1], starts[1:], strict=True):
        tokens[start:stop] = embedding.tokens
        offsets[start:stop] = embedding.offsets
        rarity[start:stop] = embedding.rarity
    tokens.flush()
    np.save(folder / on_disk.OFFSETS, offsets)
    np.save(folder / on_disk.RARITY, rarity)
    np.save(folder / on_disk.STARTS, starts)


def _places(rubrics: Sequence[IndexedRubric], starts: NDArray[np.int64]) -> Iterator[QuestionEntry]:
    row = 0
    for rubric in rubrics:
        first, row = row, row + len(rubric.statements)
        tokens = int(starts[first]), int(starts[row])
        yield QuestionEntry(rubric.rubric.id, rubric.rubric.version, (first, row), tokens)
