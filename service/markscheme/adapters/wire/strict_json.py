"""JSON as every reader understands it alike; what Python's own reader lets pass is refused with its place."""

import json
import math
from typing import NoReturn

from markscheme.grading.errors import MalformedJsonError

# No field of any form holds a whole number near this; longer ones cost quadratic time to convert.
MAX_DIGITS = 40
_BYTE_ORDER_MARK = "\ufeff"


def read_json(raw: bytes | str) -> object:
    """Read one JSON value.

    Args:
        raw: UTF-8 bytes, or text; a leading byte order mark is allowed.

    Raises:
        MalformedJsonError: Not UTF-8, not JSON, a key given twice, NaN or Infinity, a key that is no valid text, a
            number of more than 40 digits, or nesting deeper than the reader follows.
    """
    text = _decode(raw) if isinstance(raw, bytes) else raw
    try:
        return json.loads(
            text.removeprefix(_BYTE_ORDER_MARK),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        message = f"The JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}. Mend it there."
        raise MalformedJsonError(message) from error
    except RecursionError:
        message = "The JSON is nested too deeply. No field needs more than four levels."
        raise MalformedJsonError(message) from None


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"Byte {error.start} is not UTF-8. Save or send the text as UTF-8."
        raise MalformedJsonError(message) from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if not is_valid_text(key):
            message = "A key holds half of a surrogate pair, which is no character. Remove it."
            raise MalformedJsonError(message)
        if key in found:
            message = f"The key {key[:50]!r} is given twice in one object. Keep one of the two."
            raise MalformedJsonError(message)
        found[key] = value
    return found


def is_valid_text(text: str) -> bool:
    r"""False where `text` holds a lone surrogate, such as the escape \ud800 leaves behind."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not JSON. Give a number, or leave the field out."
    raise MalformedJsonError(message)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        message = f"The number {digits[:MAX_DIGITS]} is too large. Give a smaller one."
        raise MalformedJsonError(message)
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        message = f"A number has {len(digits)} digits; at most {MAX_DIGITS} are read. Give a shorter one."
        raise MalformedJsonError(message)
    return int(digits)
