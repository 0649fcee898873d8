"""The file that people graded, read row by row into what can be graded."""

from collections.abc import Iterator
from typing import BinaryIO

from markscheme.adapters.graded_files import GradedRow, json_rows, sheet_rows
from markscheme.adapters.wire import GradeBody, Limits, read_json, request_from_data
from markscheme.cli.batch_lines import numbered_lines
from markscheme.cli.inputs import open_bytes
from markscheme.grading.errors import Fault, InputError
from markscheme.pipeline.evaluate import JudgedRequest, judged_request
from markscheme.settings import Settings

_SHEETS = (".csv", ".tsv")


def read_judged(name: str, settings: Settings) -> tuple[list[JudgedRequest], list[Fault]]:
    """Every row that can be used, and what is wrong with each other one.

    Raises:
        InputError: The file cannot be read, or is a table whose header lacks a column.
    """
    limits = Limits(max_answer_chars=settings.max_answer_chars)
    rows: list[JudgedRequest] = []
    faults: list[Fault] = []
    with open_bytes(name) as stream:
        for row in _rows(stream, name, settings):
            try:
                if isinstance(row, Fault):
                    faults.append(row)
                else:
                    rows.append(_judged(row, limits))
            except InputError as error:
                faults.append(Fault(name, row.line, str(error)))
    return rows, faults


def read_lines(stream: BinaryIO, settings: Settings) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines as the readers of graded files take them."""
    return ((line.number, line.content) for line in numbered_lines(stream, settings.max_body_bytes))


def _rows(stream: BinaryIO, name: str, settings: Settings) -> Iterator[GradedRow | Fault]:
    if name.lower().endswith(_SHEETS):
        return sheet_rows(stream.read(), name, read_json)
    return json_rows(read_lines(stream, settings), name, read_json)


def _judged(row: GradedRow, limits: Limits) -> JudgedRequest:
    # As in a batch: people's files have more columns.
    known = {key: value for key, value in row.request.items() if key in GradeBody.model_fields}
    return judged_request(request_from_data(known, limits), row.gold, row.group, row.line)
