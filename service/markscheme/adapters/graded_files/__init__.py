"""Files of answers that people graded, and of grades that `markscheme batch` wrote. Wraps csv."""

from markscheme.adapters.graded_files.found import GradedRow
from markscheme.adapters.graded_files.grades import GivenGrades, read_grades
from markscheme.adapters.graded_files.lines import json_rows
from markscheme.adapters.graded_files.sheet import sheet_rows

__all__ = ("GivenGrades", "GradedRow", "json_rows", "read_grades", "sheet_rows")
