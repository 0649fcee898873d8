"""From a rubric to the rows that stand for it in an index."""

import numpy as np

from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.text import normalise
from markscheme.pipeline.ports import Embedder, IndexedRubric, Statement, StatementKind


def statements_of(rubric: Rubric) -> tuple[Statement, ...]:
    """Points first, in order, then every alternative and misconception, point by point.

    Each carries the heading of its point: another wording of a short point is no clearer without it. All are
    normalised as answers are, so that a ligature or a soft hyphen of the sample answer hides no word.
    """
    points = tuple(
        Statement(place, "point", normalise(point.statement).text) for place, point in enumerate(rubric.points)
    )
    others = tuple(
        Statement(place, kind, _headed(point, text))
        for place, point in enumerate(rubric.points)
        for kind, texts in _others(point)
        for text in texts
    )
    return points + others


def index_rubric(rubric: Rubric, embedder: Embedder) -> IndexedRubric:
    """Embed every statement of a rubric, as an index does it. Raises EmbedderError for one that is too long."""
    statements = statements_of(rubric)
    embeddings = embedder.embed([statement.text for statement in statements])
    return IndexedRubric(rubric, statements, tuple(embeddings))


def question_vector(question: Embedding, indexed: IndexedRubric) -> Vectors:
    """What stands for a question when one is looked for: (d,), unit length, or zeros where nothing has a direction.

    Half of it is the question's wording, so that it is found by its own words; half is the mean of its points, so
    that it is found by an answer to it.
    """
    points = [
        embedding.vector
        for statement, embedding in zip(indexed.statements, indexed.embeddings, strict=True)
        if statement.kind == "point"
    ]
    return _unit(question.vector + _unit(np.sum(points, axis=0, dtype=np.float32)))


def _unit(vector: Vectors) -> Vectors:
    length = np.sqrt(np.square(vector).sum())
    return vector / length if length else vector


def _headed(point: Point, text: str) -> str:
    return normalise(f"{point.heading}: {text}" if point.heading else text).text


def _others(point: Point) -> tuple[tuple[StatementKind, tuple[str, ...]], ...]:
    return ("alternative", point.alternatives), ("misconception", point.misconceptions)
