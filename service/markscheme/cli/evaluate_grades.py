"""The grades that are compared: given now, or taken from a file."""

from collections import Counter
from dataclasses import dataclass

from markscheme.adapters.graded_files import read_grades
from markscheme.adapters.wire import read_json
from markscheme.agreement.judged import OurGrade
from markscheme.cli.batch_progress import Progress
from markscheme.cli.evaluate_rows import read_lines
from markscheme.cli.inputs import open_bytes
from markscheme.grading.errors import Fault
from markscheme.pipeline.evaluate import JudgedRequest, grade_judged
from markscheme.pipeline.grade import Grader
from markscheme.settings import Settings


@dataclass(frozen=True, slots=True)
class Graded:
    """A grade for each row, or None; `faults` say why there is none."""

    grades: list[OurGrade | None]
    faults: list[Fault]


def graded_now(rows: list[JudgedRequest], name: str, grader: Grader, progress: Progress) -> Graded:
    """Grade every row. Raises UnservableIndexError where a row needs the index and there is none."""
    found = Graded([], [])
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
    found = Graded([], [])
    for row in rows:
        answer_id = row.request.id
        grade = None
        if answer_id is None:
            why = "it has no id to find its grade by"
        elif times[answer_id] > 1:
            why = f"several rows have the id {answer_id!r}"
        else:
            grade = given.get(answer_id)
            why = f"{grades_name} has no grade of {answer_id!r}"
        found.grades.append(grade)
        if grade is None:
            found.faults.append(Fault(name, row.line, f"Not graded: {why}."))
    return found
