"""The grades that are compared: given now, or taken from a file."""

from collections import Counter
from dataclasses import dataclass, field

from markscheme import bootstrap
from markscheme.adapters.graded_files import GivenGrades, read_grades
from markscheme.adapters.wire import read_json
from markscheme.agreement.judged import OurGrade
from markscheme.cli.batch_progress import Progress
from markscheme.cli.evaluate_rows import read_lines
from markscheme.cli.inputs import open_bytes
from markscheme.grading.errors import Fault
from markscheme.pipeline.evaluate import JudgedRequest, grade_judged
from markscheme.pipeline.given_grades import Drafts, lacking, misfit
from markscheme.pipeline.grade import Grader
from markscheme.settings import Settings

_MEND = "Grade the rows anew with `markscheme batch`, or give the grades that it wrote of them."


@dataclass(frozen=True, slots=True)
class Graded:
    """Rows beside their grades, None where there is none; `faults` say why, or what a grade lacks.

    Rows whose grade is of something else are left out of both, and `misfits` say why.
    """

    rows: list[JudgedRequest] = field(default_factory=list)
    grades: list[OurGrade | None] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    misfits: list[Fault] = field(default_factory=list)


def graded_now(rows: list[JudgedRequest], name: str, grader: Grader, progress: Progress) -> Graded:
    """Grade every row. Raises UnservableIndexError where a row needs the index and there is none."""
    found = Graded(rows)
    for row in rows:
        grade = grade_judged(grader, row)
        if isinstance(grade, OurGrade):
            found.grades.append(grade)
        else:
            found.grades.append(None)
            found.faults.append(Fault(name, row.line, f"Not graded: {grade}"))
        progress.count(graded=isinstance(grade, OurGrade))
    return found


def given_grades(rows: list[JudgedRequest], name: str, grades_name: str, settings: Settings) -> Graded:
    """Take every row's grade from a file, by the id of the answer. Raises InputError where it holds something else."""
    with open_bytes(grades_name) as stream:
        given = read_grades(read_lines(stream, settings), grades_name, read_json)
    times = Counter(row.request.id for row in rows)
    drafts = Drafts(bootstrap.splitter())
    found = Graded()
    for row in rows:
        answer_id = row.request.id
        # An id of several rows tells none of them.
        one = given.grades.get(answer_id) if answer_id and times[answer_id] == 1 else None
        if one is None:
            reason = _why_none(answer_id, times[answer_id], given, grades_name)
            found.faults.append(Fault(name, row.line, f"Not graded: {reason}"))
        elif why := misfit(row.request, one, drafts):
            message = f"Left out: {one.place} is no grade of this row: {why}. {_MEND}"
            found.misfits.append(Fault(name, row.line, message))
            continue
        elif lacks := lacking(row.request, one):
            whole = len(one.grade.points) + lacks
            message = f"{one.place} has {whole - lacks} of its {whole} points; the rest count as wrong."
            found.faults.append(Fault(name, row.line, f"Not graded in full: {message}"))
        found.rows.append(row)
        found.grades.append(one.grade if one else None)
    return found


def _why_none(answer_id: str | None, times: int, given: GivenGrades, grades_name: str) -> str:
    if answer_id is None:
        return "it has no id to find its grade by."
    if times > 1:
        return f"several rows have the id {answer_id!r}."
    return given.errors.get(answer_id, f"{grades_name} has no grade of {answer_id!r}.")
