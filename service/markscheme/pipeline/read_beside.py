"""An answer that was read beside one rubric, for any number of calibrations to grade."""

from dataclasses import dataclass, replace

from markscheme.grading.answer import Answer
from markscheme.grading.coverage import Calibration
from markscheme.grading.decision import Decider
from markscheme.grading.feedback import feedback
from markscheme.grading.flags import flags
from markscheme.grading.grade import Grade, GraderVersions
from markscheme.grading.marking import MarkingScheme
from markscheme.grading.review import answer_reasons, confidence_of, review_reasons
from markscheme.grading.rubric import Rubric
from markscheme.grading.score import verdict_of, weighted

INLINE = "inline"


@dataclass(frozen=True, slots=True, eq=False)
class ReadBeside:
    """An answer beside one rubric: what takes time is done, and what takes room, the vectors, is gone.

    `decider` decides by `calibration`. `scheme` has its points no more. `nearest` is the highest cosine of any segment
    with any statement, and `versions` are those of the whole grader.
    """

    answer: Answer
    scheme: MarkingScheme
    decider: Decider
    calibration: Calibration
    nearest: float
    versions: GraderVersions

    def by(self, calibration: Calibration) -> "ReadBeside":
        """The same for another calibration. Raises VerifierError where it reads a verifier that fails."""
        chosen = for_rubric(calibration, self.scheme.rubric)
        return replace(self, decider=self.decider.by(chosen), calibration=calibration)

    def grade(self) -> Grade:
        """The grade, without the id of the request."""
        answer, scheme, calibration = self.answer, self.scheme, self.calibration
        points = self.decider.decide()
        score = round(100 * weighted(points), 1)
        vital = [point for point in points if point.importance == "vital"]
        reasons = review_reasons(points, calibration.cuts) + answer_reasons(answer, self.nearest)
        return Grade(
            question_id=scheme.rubric.id,
            rubric_version=scheme.rubric.version,
            score=score,
            verdict=verdict_of(points, score),
            vital_coverage=round(weighted(vital), 4),
            points=points,
            missing=tuple(point.text for point in points if point.status == "missing"),
            contradicted=tuple(point.text for point in points if point.status == "contradicted"),
            flags=flags(answer, scheme, points, self.nearest),
            confidence=round(confidence_of(points), 4),
            needs_review=bool(reasons),
            review_reasons=reasons,
            feedback=feedback(points),
            grader=self._versions,
        )

    @property
    def _versions(self) -> GraderVersions:
        """What decided: a verifier that the calibration does not read was not asked."""
        used = self.versions.verifier if self.calibration.needs_verifier else None
        return replace(self.versions, calibration=self.calibration.name, verifier=used)


def for_rubric(calibration: Calibration, rubric: Rubric) -> Calibration:
    """Points that people wrote or kept are a checklist; those of a bare sample answer are not."""
    is_sample = rubric.id == INLINE and rubric.source.derived_from == "sample_answer"
    return calibration.for_sample_answers if is_sample else calibration
