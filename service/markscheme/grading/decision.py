"""One point, one answer: covered, partial, missing or contradicted, and where the answer says so."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from markscheme.grading.alignment import Alignment, align, relevance
from markscheme.grading.answer import Answer
from markscheme.grading.contradiction import Against, denied, misconceptions_said
from markscheme.grading.coverage import Calibration
from markscheme.grading.embedding import Vectors
from markscheme.grading.grade import DecidedBy, Evidence, Explanation, PointGrade, PointStatus
from markscheme.grading.logistic import Logistic
from markscheme.grading.marking import Candidate, MarkedPoint
from markscheme.grading.reading import Reading, Verify, hears
from markscheme.grading.rubric import Point
from markscheme.grading.score import credit, status_of

# `numbers_missing` of a point none of whose numbers the answer has.
NONE_FOUND = -1.0
# A neighbour joins the evidence when the two together say this much more of the point than the better one alone.
JOINS = 0.10
# A misconception is worth a verifier's time when a passage has about half of its words.
NEAR_MISCONCEPTION = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class _Readings:
    """What was read for one point: the wording that is found best first, then the others; and the misconceptions."""

    making: tuple[Reading, ...]
    contradicting: tuple[Reading, ...]


class Decider:
    """Decides the points of one rubric for one answer.

    `cosines` is (s + s - 1, statements): segments first, then pairs of segments. `verify`, where there is a verifier
    and the calibration reads one, is asked once, about the best wording of every point and the misconceptions that some
    passage comes near.
    """

    def __init__(  # noqa: PLR0913 - the two sides, how near they are, and who judges
        self,
        answer: Answer,
        points: Sequence[MarkedPoint],
        cosines: Vectors,
        calibration: Calibration,
        *,
        question: str = "",
        verify: Verify | None = None,
    ) -> None:
        # What is measured here needs the vectors, and nothing after it: a decider may be kept for long.
        self._answer = answer.without_vectors
        self._points = [marked.point for marked in points]
        self._question = question
        self._verify = verify
        making = [_aligned(answer, marked.making, cosines) for marked in points]
        self._relevance = relevance([max((one.match_passage for one in found), default=0.0) for found in making])
        self._measured = [
            _Readings(self._readings_of(found), self._readings_of(_aligned(answer, marked.contradicting, cosines)))
            for found, marked in zip(making, points, strict=True)
        ]
        self._read_by(calibration)

    def by(self, calibration: Calibration) -> "Decider":
        """Another calibration on the same answer: nothing is measured anew, and only a verifier is asked."""
        other = copy(self)
        other._read_by(calibration)  # noqa: SLF001 - it is one of these
        return other

    def decide(self) -> tuple[PointGrade, ...]:
        """Decide every point, in order."""
        return tuple(self._decide(point, found) for point, found in zip(self._points, self._readings, strict=True))

    def measure(self) -> list[Reading | None]:
        """The wording that makes each point best; None where the answer or the point has no word."""
        return [found.making[0] if found.making else None for found in self._readings]

    def _readings_of(self, alignments: Sequence[Alignment]) -> tuple[Reading, ...]:
        related = (
            replace(one, relevance=self._relevance, statement=one.statement.without_vectors) for one in alignments
        )
        return tuple(Reading(one, self._answer, self._question) for one in related)

    def _read_by(self, calibration: Calibration) -> None:
        """Put the wording that is found best first, and hear the verifier."""

        def odds(reading: Reading) -> float:
            return calibration.coverage.log_odds(reading.features)

        self._calibration = calibration
        self._readings = [
            replace(found, making=tuple(sorted(found.making, key=odds, reverse=True))) for found in self._measured
        ]
        if self._verify is not None and calibration.needs_verifier:
            self._readings = _verified(self._readings, self._verify)

    def _decide(self, point: Point, readings: _Readings) -> PointGrade:
        cuts = self._calibration.cuts
        if not readings.making:
            return self._graded(point, "missing", 0.0, confidence=1.0)
        best = readings.making[0]
        # Rounded first: what a reader sees decides, so that .50 is never called partial.
        coverage = round(self._bounded(best, self._coverage(best)), 4)
        against = self._against(readings, coverage)
        if against is not None:
            evidence = self._evidence([against.segment])
            made = min(coverage, 1.0 - against.probability)
            graded = self._graded(
                point, "contradicted", made, best=best, evidence=evidence, confidence=against.probability
            )
            # A listed misconception is found by the regression of coverage, any other denial by one of its own as well.
            own = None if against.misconception else self._calibration.contradiction
            return replace(graded, contradicts=against.misconception, decided_by=self._decided_by(best, own))
        status = status_of(coverage, cuts)
        evidence = () if status == "missing" else self._evidence(_passage(best.alignment))
        confidence = coverage if status == "covered" else 1.0 - coverage
        return self._graded(point, status, coverage, best=best, evidence=evidence, confidence=confidence)

    def _decided_by(self, best: Reading | None, contradiction: Logistic | None = None) -> DecidedBy:
        """Who decides by coverage and, where it took part, by a contradiction; a word that weighs nothing does not."""
        regressions = [self._calibration.coverage, *([contradiction] if contradiction else [])]
        heard = best is not None and best.verification is not None and any(map(hears, regressions))
        return "verifier" if heard else "similarity"

    def _coverage(self, reading: Reading) -> float:
        return self._calibration.coverage.probability(reading.features)

    def _bounded(self, best: Reading, coverage: float) -> float:
        """Coverage, at most half-way between the cuts where the passage gives other numbers than the point's."""
        cuts, alignment = self._calibration.cuts, best.alignment
        other = any(word.is_number for word in self._answer.words[alignment.best_segment])
        if other and alignment.features["numbers_missing"] == NONE_FOUND:
            return min(coverage, (cuts.partial + cuts.covered) / 2)
        return coverage

    def _against(self, readings: _Readings, coverage: float) -> Against | None:
        said = misconceptions_said(self._answer, readings.making, readings.contradicting, self._calibration)
        worst = max(said, key=lambda one: one.probability, default=None)
        return worst or denied(readings.making[0], coverage, self._calibration)

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

    def _graded(  # noqa: PLR0913 - what a grade of a point says
        self,
        point: Point,
        status: PointStatus,
        coverage: float,
        *,
        best: Reading | None = None,
        evidence: tuple[Evidence, ...] = (),
        confidence: float = 1.0,
    ) -> PointGrade:
        shown = round(coverage, 4)
        return PointGrade(
            id=point.id,
            text=point.statement,
            importance=point.importance,
            weight=point.weight,
            status=status,
            coverage=shown,
            credit=round(credit(shown, status, self._calibration.cuts), 4),
            decided_by=self._decided_by(best),
            evidence=evidence,
            confidence=round(confidence, 4),
            explanation=self._explanation(best) if best else None,
        )

    def _explanation(self, best: Reading) -> Explanation:
        coverage, said = self._calibration.coverage, best.verification
        return Explanation(
            statement=best.claim.statement,
            passage=best.claim.passage,
            supported=round(said.supported, 4) if said else None,
            contradicted=round(said.contradicted, 4) if said else None,
            average=coverage.intercept,
            effects=coverage.effects(best.features),
            cuts=self._calibration.cuts,
        )


def _aligned(answer: Answer, candidates: Sequence[Candidate], cosines: Vectors) -> list[Alignment]:
    """Where statements are found in the answer; those without a word are left out."""
    count = len(answer)
    columns = ((one.statement, cosines[:, one.row]) for one in candidates)
    found = (align(statement, answer, column[:count], column[count:]) for statement, column in columns)
    return [one for one in found if one]


def _verified(readings: Sequence[_Readings], verify: Verify) -> list[_Readings]:
    """The same readings with what the verifier says of those that are worth its time."""
    asked = [reading for found in readings for reading in _worth_asking(found)]
    said = dict(zip(map(id, asked), verify([one.claim for one in asked]), strict=True))

    def judged(several: Sequence[Reading]) -> tuple[Reading, ...]:
        return tuple(replace(one, verification=said.get(id(one))) for one in several)

    return [_Readings(judged(found.making), judged(found.contradicting)) for found in readings]


def _worth_asking(found: _Readings) -> list[Reading]:
    near = [one for one in found.contradicting if one.alignment.match_passage >= NEAR_MISCONCEPTION]
    return [*found.making[:1], *near]


def _passage(alignment: Alignment) -> list[int]:
    """The best segment, with a neighbour that adds what it leaves out."""
    segment = alignment.best_segment
    chosen = [segment]
    for neighbour in (segment - 1, segment + 1):
        if 0 <= neighbour < len(alignment.said):
            together = alignment.together(segment, neighbour)
            if together >= alignment.said[segment] + JOINS:
                chosen.append(neighbour)
    return sorted(chosen)
