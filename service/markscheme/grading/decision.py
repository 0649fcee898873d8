"""One point, one answer: covered, partial, missing or contradicted, and where the answer says so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.alignment import Alignment, align, relevance
from markscheme.grading.answer import Answer
from markscheme.grading.contrast import contrast, decisive
from markscheme.grading.coverage import Calibration
from markscheme.grading.embedding import Vectors
from markscheme.grading.grade import Evidence, PointGrade, PointStatus
from markscheme.grading.marking import Candidate, MarkedPoint
from markscheme.grading.score import Cuts, credit, status_of
from markscheme.grading.statement import WeighedStatement

# How much better a passage must fit the misconception's own words than the point's before it speaks against the point.
CONTRADICTS = 0.20
# How much of the misconception one passage must say by itself.
SAYS_IT = 0.75
# `numbers_missing` of a point none of whose numbers the answer has.
NONE_FOUND = -1.0
# Share of the point's own words beside which a passage is not held against it.
ALSO_RIGHT = 0.25
# A neighbour joins the evidence when the two together say this much more of the point than the better one alone.
JOINS = 0.10


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    alignment: Alignment
    coverage: float


@dataclass(frozen=True, slots=True, eq=False)
class _Against:
    """A misconception that is said, the segment that says it best, and all (s,) that say it."""

    misconception: str
    segment: int
    coverage: float
    segments: NDArray[np.bool_]


class Decider:
    """Decides the points of one rubric for one answer.

    `cosines` is (s + s - 1, statements): segments first, then pairs of segments.
    """

    def __init__(
        self, answer: Answer, points: Sequence[MarkedPoint], cosines: Vectors, calibration: Calibration
    ) -> None:
        self._answer = answer
        self._cosines = cosines
        self._calibration = calibration
        self._points = points
        making = [[self._align(candidate) for candidate in marked.making] for marked in points]
        self._relevance = relevance([max((one.match_passage for one in found if one), default=0.0) for found in making])
        self._making = [self._measured(found) for found in making]

    def decide(self) -> tuple[PointGrade, ...]:
        """Decide every point, in order."""
        return tuple(self._decide(marked, making) for marked, making in zip(self._points, self._making, strict=True))

    def measure(self) -> list[Mapping[str, float] | None]:
        """The features of the wording that makes each point best; None where the answer or the point has no word."""
        return [
            max(making, key=lambda found: found.coverage).alignment.features if making else None
            for making in self._making
        ]

    def _decide(self, marked: MarkedPoint, making: Sequence[_Measured]) -> PointGrade:
        cuts = self._calibration.cuts
        if not making:
            return _graded(marked, cuts, "missing", 0.0)
        best = max(making, key=lambda found: found.coverage)
        # Rounded first: what a reader sees decides, so that .50 is never called partial.
        coverage = round(self._bounded(best), 4)
        against = self._against(marked, making)
        if against and self._otherwise(making, against) < cuts.covered:
            worst = max(against, key=lambda one: one.coverage)
            evidence = self._evidence([worst.segment])
            graded = _graded(marked, cuts, "contradicted", 1.0 - worst.coverage, evidence)
            return replace(graded, contradicts=worst.misconception)
        status = status_of(coverage, cuts)
        evidence = () if status == "missing" else self._evidence(_passage(best.alignment))
        return _graded(marked, cuts, status, coverage, evidence)

    def _bounded(self, best: _Measured) -> float:
        """Coverage, at most half-way between the cuts where the passage gives other numbers than the point's."""
        cuts, alignment = self._calibration.cuts, best.alignment
        other = any(word.is_number for word in self._answer.words[alignment.best_segment])
        if other and alignment.features["numbers_missing"] == NONE_FOUND:
            return min(best.coverage, (cuts.partial + cuts.covered) / 2)
        return best.coverage

    def _align(self, candidate: Candidate) -> Alignment | None:
        count = len(self._answer)
        column = self._cosines[:, candidate.row]
        return align(candidate.statement, self._answer, column[:count], column[count:])

    def _measured(self, alignments: Iterable[Alignment | None]) -> list[_Measured]:
        related = [replace(one, relevance=self._relevance) for one in alignments if one]
        return [_Measured(one, self._calibration.coverage(one.features)) for one in related]

    def _against(self, marked: MarkedPoint, making: Sequence[_Measured]) -> list[_Against]:
        """The misconceptions of the point that some passage says, and says better than any wording of the point."""
        found: list[_Against] = []
        for wrong in self._measured(self._align(candidate) for candidate in marked.contradicting):
            if wrong.coverage < self._calibration.cuts.covered:
                continue
            leaning = np.min([contrast(wrong.alignment, right.alignment) for right in making], axis=0)
            told = (
                (leaning >= CONTRADICTS)
                & self._of_one_polarity(wrong.alignment.statement)
                & ~_also_right(wrong, making)
            )
            said = np.where(told, wrong.alignment.said, -1.0)
            if said.max() >= SAYS_IT:
                text = wrong.alignment.statement.text
                found.append(_Against(text, int(said.argmax()), wrong.coverage, said >= SAYS_IT))
        return found

    def _of_one_polarity(self, misconception: WeighedStatement) -> NDArray[np.bool_]:
        """Segments that negate as the misconception does, (s,): who denies a misconception does not hold it."""
        negated = any(word.is_negation for word in misconception.words)
        return np.array([any(word.is_negation for word in words) == negated for words in self._answer.words], np.bool_)

    def _otherwise(self, making: Sequence[_Measured], against: Sequence[_Against]) -> float:
        """Coverage of the point by the rest of the answer: who says both is not marked for the slip alone.

        Windows that share words with a wrong passage are no rest: they say part of it again.
        """
        wrong = np.any([one.segments for one in against], axis=0)
        beside = (self._answer.overlaps & wrong).any(axis=1)
        return max(self._calibration.coverage(one.alignment.without(beside).features) for one in making)

    def _evidence(self, segments: list[int]) -> tuple[Evidence, ...]:
        normal = self._answer.normal
        spans: list[tuple[int, int]] = []
        for segment in segments:
            start, end = normal.raw_span(*self._answer.segments[segment])
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return tuple(Evidence(start, end, normal.raw[start:end]) for start, end in spans)


def _also_right(wrong: _Measured, making: Sequence[_Measured]) -> NDArray[np.bool_]:
    """Segments that have, letter for letter, much of what only a wording of the point has, (s,).

    "Small batches flat, large ones sharp" says both sides; word by word nobody can tell which way round.
    """
    found = np.zeros(len(wrong.alignment.said), np.bool_)
    for right in making:
        words = decisive(right.alignment.statement, wrong.alignment.statement)
        if words.any():
            found |= right.alignment.by_stem[words].mean(axis=0) >= ALSO_RIGHT
    return found


def _passage(alignment: Alignment) -> list[int]:
    """The best segment, with a neighbour that adds what it leaves out."""
    segment = alignment.best_segment
    chosen = [segment]
    for neighbour in (segment - 1, segment + 1):
        if 0 <= neighbour < len(alignment.said):
            together = np.maximum(alignment.found[:, segment], alignment.found[:, neighbour])
            if alignment.statement.weights @ together >= alignment.said[segment] + JOINS:
                chosen.append(neighbour)
    return sorted(chosen)


def _graded(
    marked: MarkedPoint,
    cuts: Cuts,
    status: PointStatus,
    coverage: float,
    evidence: tuple[Evidence, ...] = (),
) -> PointGrade:
    point = marked.point
    return PointGrade(
        id=point.id,
        text=point.statement,
        importance=point.importance,
        weight=point.weight,
        status=status,
        coverage=round(coverage, 4),
        credit=round(credit(round(coverage, 4), status, cuts), 4),
        decided_by="similarity",
        evidence=evidence,
    )
