from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.faiss_index.writer import FaissIndexWriter
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.rubric import Point, Rubric, Source
from markscheme.pipeline.statements import index_rubric, question_vector

WriteRubrics = Callable[[list[Rubric]], Path]


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def rubrics() -> list[Rubric]:
    """Three rubrics of different shapes: with and without headings, alternatives, misconceptions and a source."""
    return [
        Rubric(
            "batches/large",
            "What changes with very large batches?",
            (
                Point("p1", "The gradient varies less", alternatives=("Less noise", "Lower variance")),
                Point("p2", "Memory grows", heading="Cost", importance="okay", misconceptions=("Memory shrinks",)),
            ),
            topic="Batches — naïve",
            difficulty="hard",
            status="reviewed",
            source=Source("seeds/batches.txt", "sample_answer", "abc"),
        ),
        Rubric("batches/small", "And with one example?", (Point("p1", "Updates are noisy", weight=2, span=(3, 20)),)),
        Rubric("caches/why", "Why cache activations?", (Point("p1", "So that nothing is computed twice 学習"),)),
    ]


@pytest.fixture
def write(tmp_path: Path, embedder: HashingEmbedder) -> WriteRubrics:
    """Writes rubrics into the index in `tmp_path`, and gives the folder of the build."""

    def write_rubrics(rubrics: list[Rubric]) -> Path:
        indexed = [index_rubric(rubric, embedder) for rubric in rubrics]
        asked = embedder.embed([rubric.question for rubric in rubrics])
        vectors = [question_vector(question, entry) for question, entry in zip(asked, indexed, strict=True)]
        questions = np.array(vectors, np.float32).reshape(-1, embedder.dimension)
        return FaissIndexWriter(tmp_path).write(indexed, questions, embedder, "splitter@1")

    return write_rubrics
