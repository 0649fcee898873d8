"""Answers that people marked, read once, so that any calibration can be tried on them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.grading.grade import Grade
from markscheme.pipeline.evaluate import JudgedRequest, with_references
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest


@dataclass(frozen=True, slots=True)
class ReadRubric:
    """An answer beside one rubric: what was measured of each point, None where nothing could be, and its grade."""

    features: tuple[Mapping[str, float] | None, ...]
    grade: Grade


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer beside every rubric that it is marked by: one, or one for each sample answer."""

    request: GradeRequest
    judged: JudgedAnswer
    rubrics: tuple[ReadRubric, ...]

    @property
    def best(self) -> int:
        """The rubric that counts, as `Grader.grade` chooses it: the first of those with the highest score."""
        return max(range(len(self.rubrics)), key=lambda at: self.rubrics[at].grade.score)

    @property
    def grade(self) -> OurGrade:
        """The grade as it stands, by the calibration in use."""
        return OurGrade.of(self.rubrics[self.best].grade)

    @property
    def by_sample(self) -> bool:
        """Whether it is marked by sample answers, for which coverage is relaxed."""
        return self.request.sample_answers is not None


def read_answer(grader: Grader, row: JudgedRequest) -> ReadAnswer:
    """Measure and grade an answer beside each of its rubrics.

    A profile that the row itself names is left out: what is fitted starts from the calibration in use.

    Raises:
        InputError: it cannot be graded, or people judged another number of points than the question has.
    """
    request = replace(row.request, profile=None)
    samples = request.sample_answers
    several = [request] if not samples else [replace(request, sample_answers=(sample,)) for sample in samples]
    rubrics = tuple(_read(grader, one) for one in several)
    judged = with_references(row.judged, OurGrade.of(rubrics[0].grade))
    return ReadAnswer(request, judged, rubrics)


def _read(grader: Grader, request: GradeRequest) -> ReadRubric:
    (readings,) = grader.measure(request)
    return ReadRubric(tuple(one.features if one else None for one in readings), grader.grade(request))
