"""Answers that people marked, read once, so that any calibration can be tried on them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from markscheme.agreement.gold import Gold, Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import MarkschemeError
from markscheme.grading.grade import Grade
from markscheme.pipeline.evaluate import JudgedRequest, attempted, with_references
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.read_beside import ReadBeside
from markscheme.pipeline.request import GradeRequest

KINDS: tuple[Kind, ...] = ("points", "score", "label")


@dataclass(frozen=True, slots=True)
class ReadRubric:
    """An answer beside one rubric: what was measured of each point, None where nothing could be, and its grade."""

    features: tuple[Mapping[str, float] | None, ...]
    grade: Grade
    beside: ReadBeside


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

    def graded_by(self, calibration: Calibration) -> OurGrade:
        """The grade by another calibration, as `Grader.grade` would give it, without reading anew."""
        grades = [one.beside.by(calibration).grade() for one in self.rubrics]
        return OurGrade.of(max(grades, key=lambda grade: grade.score))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An answer that cannot be used: what it is called, its line in the file, and why."""

    name: str
    line: int
    message: str


def kind_of(rows: Sequence[JudgedRequest]) -> Kind:
    """The kind of judgement that most rows have, of those that can be fitted."""
    return max(KINDS, key=lambda kind: sum(_has(row.judged.gold, kind) for row in rows))


def read_answers(
    rows: Sequence[JudgedRequest], kind: Kind, grader: Grader, count: Callable[[LeftOut | None], None]
) -> tuple[list[ReadAnswer], list[LeftOut]]:
    """Read every row that people judged in this way; `count` is told of each row, and why where it is left out.

    Raises:
        UnservableIndexError: a row needs the index, and there is none.
    """
    answers: list[ReadAnswer] = []
    left_out: list[LeftOut] = []
    for row in rows:
        read: ReadAnswer | MarkschemeError | None = _not_of(kind, row.judged.gold)
        if read is None:
            read = attempted(partial(read_answer, grader, row), row.judged.name)
        if isinstance(read, ReadAnswer):
            answers.append(read)
            count(None)
        else:
            left_out.append(LeftOut(row.judged.name, row.line, str(read)))
            count(left_out[-1])
    return answers, left_out


def read_answer(grader: Grader, row: JudgedRequest) -> ReadAnswer:
    """Measure and grade an answer beside each of its rubrics.

    A profile that the row itself names is left out: what is fitted starts from the calibration in use.

    Raises:
        InputError: it cannot be graded, or people judged another number of points than the question has.
    """
    request = replace(row.request, profile=None)
    rubrics = tuple(_read(one) for one in grader.read(request))
    judged = with_references(row.judged, OurGrade.of(rubrics[0].grade))
    return ReadAnswer(request, judged, rubrics)


def _read(beside: ReadBeside) -> ReadRubric:
    readings = beside.decider.measure()
    return ReadRubric(tuple(one.features if one else None for one in readings), beside.grade(), beside)


def _has(gold: Gold, kind: Kind) -> bool:
    if kind == "points":
        return any(share is not None for share in gold.points or ())
    return {"score": gold.score, "label": gold.label}[kind] is not None


def _not_of(kind: Kind, gold: Gold) -> MarkschemeError | None:
    if _has(gold, kind):
        return None
    if any(_has(gold, other) for other in KINDS):
        return MarkschemeError(f"People did not judge it by {kind}, as they did most; one kind is fitted at a time.")
    return MarkschemeError("A calibration is fitted to points, scores or labels, and people gave it none of them.")
