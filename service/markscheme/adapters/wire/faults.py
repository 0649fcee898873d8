"""pydantic's complaints, told as errors of the project: each with a JSON pointer and what to do."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from markscheme.grading.errors import InputError

# A reader mends a few and sends again; a hostile body could hold a hundred thousand.
MAX_FAULTS = 20
_SHOWN_CHARS = 60

_MESSAGES: Mapping[str, str] = {
    "missing": "is missing. Give it.",
    "extra_forbidden": "is not a field of this form. Remove it, or check its spelling.",
    "string_type": "must be text. Write it in double quotes.",
    "string_unicode": "holds half of a surrogate pair, which is no character. Remove it.",
    "list_type": "must be a list. Write it in square brackets.",
    "float_type": "must be a number. Write it without quotes.",
    "bool_type": "must be true or false. Write it without quotes.",
    "int_type": "must be a whole number. Write it without quotes.",
    "model_type": "must be an object. Write it in curly brackets.",
    "literal_error": "must be one of {expected}.",
    "greater_than": "must be more than {gt}.",
    "greater_than_equal": "must be {ge} or more.",
    "less_than_equal": "must be {le} or less.",
    "string_too_long": "is longer than {max_length:,} characters. Shorten it.",
    "too_long": "holds more than {max_length} entries. Leave some out.",
}


def as_input_error(error: ValidationError, data: object, answer_id: str | None = None) -> InputError:
    """Turn a failed validation of `data` into one error, the first fault, that carries the others."""
    faults = error.errors(include_url=False, include_context=True, include_input=False)[:MAX_FAULTS]
    first, *others = (_fault(fault, data, answer_id) for fault in faults)
    first.others = tuple(others)
    return first


def json_pointer(parts: tuple[str | int, ...]) -> str:
    """The RFC 6901 pointer of a path of keys and positions."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _fault(fault: ErrorDetails, data: object, answer_id: str | None) -> InputError:
    pointer = json_pointer(_place(fault["loc"], data))
    said = _MESSAGES.get(fault["type"], fault["msg"])
    message = said.format_map(fault.get("ctx", {})) if fault["type"] in _MESSAGES else said
    name = pointer[:_SHOWN_CHARS] or "The body"
    # What a validator of ours says of the whole is a sentence already.
    whole = not pointer and fault["type"] not in _MESSAGES
    return InputError(message if whole else f"{name} {message}", pointer=pointer, answer_id=answer_id)


def _place(loc: tuple[str | int, ...], data: object) -> tuple[str | int, ...]:
    """Where the fault stands in what was sent: a point that was sent as text has no fields inside it."""
    at = data
    for depth, part in enumerate(loc):
        if isinstance(at, str):
            return loc[:depth]
        if isinstance(at, dict):
            at = at.get(part)
        elif isinstance(at, list) and isinstance(part, int):
            at = at[part]
    return loc
