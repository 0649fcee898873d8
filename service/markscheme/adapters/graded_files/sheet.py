"""A table as spreadsheets save it: a header, and a row an answer."""

import csv
import io
from collections.abc import Iterator, Mapping

from markscheme.adapters.graded_files.found import GradedRow
from markscheme.adapters.graded_files.lines import ReadJson
from markscheme.adapters.graded_files.reading_gold import gold_of
from markscheme.agreement.gold import Kind
from markscheme.grading.errors import Fault, InputError, MarkschemeError

WAYS = ("question_id", "points", "sample_answer")
GOLD: Mapping[Kind, str] = {"points": "gold_points", "label": "label", "score": "score", "nli": "nli"}
# What a second person decided.
SECOND: Mapping[Kind, str] = {"points": "gold_points_2", "label": "label_2", "score": "score_2"}
_PLAIN = ("id", "question", "question_id")
_SEPARATORS = ",;\t"


def sheet_rows(content: bytes, name: str, read_json: ReadJson) -> Iterator[GradedRow | Fault]:
    """Every row of a CSV file, or what is wrong with it; columns that are not known are ignored.

    The separator is the comma, semicolon or tab that the header has most of. A cell of `points` holds a point a line,
    one of `sample_answer` one text, and either may hold a JSON list; gold_points is a JSON list.

    Args:
        content: The whole file, in UTF-8.
        name: What the file is called in errors and faults.
        read_json: Reads one JSON value, and raises an error of the project where it cannot.

    Raises:
        InputError: It is not UTF-8, or its header lacks a column that no row can do without.
    """
    text = _decoded(content, name)
    header_line = text.lstrip("\r\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=header_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header: list[str] | None = None
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, name)
            else:
                yield _row(line, header, cells, read_json)
        except StopIteration:
            break
        except csv.Error as error:
            if header is None:
                message = f"The header of {name} cannot be read: {error}. Save it as CSV."
                raise InputError(message) from error
            yield Fault(name, line, f"The row cannot be read: {error}. Check its quotation marks.")
        except MarkschemeError as error:
            if header is None:
                raise
            yield Fault(name, line, str(error))


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{name} is not UTF-8: line {line} cannot be read. Save it as CSV in UTF-8."
        raise InputError(message) from error


def _header(cells: list[str], name: str) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    known = {"answer", "group", *_PLAIN, *WAYS, *GOLD.values(), *SECOND.values()}
    for one in known & set(header):
        if header.count(one) > 1:
            message = f"{name} has the column {one} twice. Rename one of them."
            raise InputError(message)
    needed = (("answer",), WAYS, tuple(GOLD.values()))
    lacking = [" or ".join(ones) for ones in needed if not set(ones) & set(header)]
    if lacking:
        message = f"{name} lacks a column: {'; '.join(lacking)}. Name it in the first line."
        raise InputError(message)
    return header


def _row(line: int, header: list[str], cells: list[str], read_json: ReadJson) -> GradedRow:
    if any(cell.strip() for cell in cells[len(header) :]):
        message = f"The row has {len(cells)} cells; the header has {len(header)}. Put cells with commas in quotes."
        raise InputError(message)
    row = dict(zip(header, cells, strict=False))
    filled = {column: cell.strip() for column, cell in row.items() if cell.strip()}
    # An answer may be empty, and its blanks are its own: evidence counts its characters.
    request: dict[str, object] = {"answer": row.get("answer", "")}
    request |= {column: filled[column] for column in _PLAIN if column in filled}
    if "points" in filled:
        request["points"] = _list(filled["points"], "points", read_json) or _lines(filled["points"])
    if "sample_answer" in filled:
        request["sample_answer"] = _list(filled["sample_answer"], "sample_answer", read_json) or filled["sample_answer"]
    told = {kind: _value(kind, column, filled[column], read_json) for kind, column in GOLD.items() if column in filled}
    raters: dict[Kind, list[object]] = {
        kind: [told[kind], _value(kind, column, filled[column], read_json)]
        for kind, column in SECOND.items()
        if column in filled and kind in told
    }
    return GradedRow(
        line,
        request,
        gold_of({str(kind): value for kind, value in told.items()}, raters, prefix=""),
        filled.get("group"),
    )


def _lines(cell: str) -> list[str]:
    return [line.strip() for line in cell.splitlines() if line.strip()]


def _list(cell: str, column: str, read_json: ReadJson) -> object:
    """The JSON list in a cell, or None where its text starts like none; a point may well begin with a bracket."""
    if not cell.startswith("[") or cell[1:].lstrip()[:1] not in ('"', "{", "]"):
        return None
    return _json(cell, column, read_json)


def _value(kind: Kind, column: str, cell: str, read_json: ReadJson) -> object:
    if kind == "points":
        return _json(cell, column, read_json)
    if kind != "score":
        return cell
    try:
        return float(cell)
    except ValueError:
        message = f"{column} must be a number from 0 to 1, with a decimal point; it is {cell[:40]!r}."
        raise InputError(message) from None


def _json(cell: str, column: str, read_json: ReadJson) -> object:
    try:
        return read_json(cell)
    except MarkschemeError as error:
        message = f"{column} is no JSON list: {error}"
        raise InputError(message) from error
