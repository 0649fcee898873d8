"""JSON lines: a request of a batch with a "gold" object."""

from collections.abc import Callable, Iterable, Iterator

from markscheme.adapters.graded_files.found import GradedRow
from markscheme.adapters.graded_files.reading_gold import gold_of, raters_of
from markscheme.grading.errors import Fault, InputError, MarkschemeError

ReadJson = Callable[[bytes | str], object]
NumberedLines = Iterable[tuple[int, bytes | None]]


def json_rows(lines: NumberedLines, name: str, read_json: ReadJson) -> Iterator[GradedRow | Fault]:
    """Every row, or what is wrong with it.

    Args:
        lines: Numbers from 1 and contents; None for a line that is too long to be read.
        name: What the file is called in faults.
        read_json: Reads one value, and raises an error of the project where it cannot.
    """
    for number, content in lines:
        try:
            yield _row(number, content, read_json)
        except MarkschemeError as error:
            yield Fault(name, number, str(error))


def _row(number: int, content: bytes | None, read_json: ReadJson) -> GradedRow:
    if content is None:
        message = "The line is longer than MARKSCHEME_MAX_BODY_BYTES allows. Shorten it, or raise that."
        raise InputError(message)
    if not content:
        message = "The line is empty. Remove it."
        raise InputError(message)
    data = read_json(content)
    if not isinstance(data, dict):
        message = "The line is no JSON object. Give a request of a batch with a gold object."
        raise InputError(message)
    request = {str(key): value for key, value in data.items()}
    gold = request.pop("gold", None)
    if not isinstance(gold, dict):
        message = "gold is missing or no object. Say there what people decided: points, label, score or nli."
        raise InputError(message)
    told = {str(key): value for key, value in gold.items()}
    group = told.get("group", request.get("group"))
    return GradedRow(number, request, gold_of(told, raters_of(told)), None if group is None else str(group))
