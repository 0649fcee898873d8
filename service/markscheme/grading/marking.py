"""A rubric made ready for marking: its statements weighed, grouped by point."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markscheme.grading.embedding import Embedding
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.statement import WeighedStatement, Weigher
from markscheme.grading.text import normalise
from markscheme.grading.words import scan


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A statement and its row in the index."""

    row: int
    statement: WeighedStatement


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPoint:
    """A point with what makes it (itself and its alternatives) and what contradicts it."""

    point: Point
    making: tuple[Candidate, ...]
    contradicting: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MarkingScheme:
    """A rubric whose every statement has its row, embedding and weights. `given` are the stems of the question."""

    rubric: Rubric
    points: tuple[MarkedPoint, ...]
    given: frozenset[str]

    @classmethod
    def of(
        cls,
        rubric: Rubric,
        rows: Sequence[tuple[int, bool, str]],
        embeddings: Sequence[Embedding],
        stem: Callable[[str], str],
    ) -> "MarkingScheme":
        """Weigh a rubric. `rows` has (place of the point, whether it contradicts it, text), in index order."""
        question = normalise(rubric.question).text
        weigher = Weigher(stem, question, [normalise(point.statement).text for point in rubric.points])
        making: list[list[Candidate]] = [[] for _ in rubric.points]
        contradicting: list[list[Candidate]] = [[] for _ in rubric.points]
        for row, ((place, contradicts, text), embedding) in enumerate(zip(rows, embeddings, strict=True)):
            group = contradicting if contradicts else making
            group[place].append(Candidate(row, weigher.weigh(text, embedding)))
        points = tuple(
            MarkedPoint(point, tuple(making[place]), tuple(contradicting[place]))
            for place, point in enumerate(rubric.points)
        )
        return cls(rubric, points, frozenset(word.stem for word in scan(question, stem)))
