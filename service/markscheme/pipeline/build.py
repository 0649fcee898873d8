"""Rubrics to index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import ContentError, Fault
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import Embedder, IndexedRubric, IndexWriter, RubricIndex, RubricStore
from markscheme.pipeline.statements import index_rubric, question_vector, statements_of


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did: numbers of questions, and the folder of the index that is served now."""

    questions: int
    embedded: int
    reused: int
    removed: int
    path: Path


def build(store: RubricStore, writer: IndexWriter, embedder: Embedder, splitter_version: str) -> BuildReport:
    """Index every rubric; one that has not changed since the served index is not embedded again.

    Raises:
        ContentError: a rubric cannot be read, or holds a text that the embedder cannot take whole. It carries every
            fault, and the served index stays as it was.
        IndexBusyError: another build is running.
        EmbedderError: the model failed.
    """
    with writer.exclusive():
        rubrics = store.load()
        served = writer.current()
        reusable = served if served and served.embedder_fingerprint == embedder.fingerprint else None
        known = {rubric_id: reusable.rubric(rubric_id).version for rubric_id in _ids(reusable)} if reusable else {}
        fresh = [rubric for rubric in rubrics if known.get(rubric.id) != rubric.version]
        if faults := list(_too_long(fresh, embedder)):
            raise ContentError(faults)
        new = {rubric.id for rubric in fresh}
        indexed: list[IndexedRubric] = []
        vectors: list[Vectors] = []
        for rubric in rubrics:
            if reusable is None or rubric.id in new:
                entry = index_rubric(rubric, embedder)
                vectors.append(question_vector(embedder.embed([rubric.question])[0], entry))
            else:
                # The version covers what is embedded; topic, status and source may have changed without it.
                entry = IndexedRubric(rubric, statements_of(rubric), reusable.indexed(rubric.id).embeddings)
                vectors.append(reusable.question_vector(rubric.id))
            indexed.append(entry)
        questions = np.array(vectors, np.float32).reshape(-1, embedder.dimension)
        path = writer.write(indexed, questions, embedder, splitter_version)
    return BuildReport(
        questions=len(rubrics),
        embedded=len(fresh),
        reused=len(rubrics) - len(fresh),
        removed=len(set(_ids(served)) - {rubric.id for rubric in rubrics}),
        path=path,
    )


def _ids(index: RubricIndex | None) -> list[str]:
    return index.question_ids() if index else []


def _too_long(rubrics: Sequence[Rubric], embedder: Embedder) -> Iterator[Fault]:
    for rubric in rubrics:
        named = [("the question", rubric.question)]
        named += [
            (f"the {statement.kind} of {rubric.points[statement.point].id}: {statement.text[:40]!r}", statement.text)
            for statement in statements_of(rubric)
        ]
        for (name, _), tokens in zip(named, embedder.count_tokens([text for _, text in named]), strict=True):
            if tokens > embedder.max_tokens:
                limit = f"{tokens} tokens; the embedder {embedder.fingerprint} takes {embedder.max_tokens}"
                yield Fault(f"{rubric.id}.yaml", None, f"{name} has {limit}. Split it into shorter points.")
