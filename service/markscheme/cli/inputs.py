"""Files that a command is given, `-` being standard input."""

import sys
from typing import BinaryIO

from markscheme.grading.errors import InputError

STANDARD = "-"


def open_bytes(name: str) -> BinaryIO:
    """Open a file, or standard input, for reading bytes. Raises InputError."""
    if name == STANDARD:
        return sys.stdin.buffer
    try:
        return open(name, "rb")  # noqa: PTH123 - the caller closes it
    except OSError as error:
        message = f"Cannot read {name}: {error.strerror}."
        raise InputError(message) from error


def read_text(name: str, limit: int) -> str:
    """Read a whole UTF-8 text of at most `limit` bytes, its line ends untouched. Raises InputError."""
    with open_bytes(name) as stream:
        # One byte more than allowed tells a text that is too long from one that just fits.
        content = stream.read(limit + 1)
    if len(content) > limit:
        message = f"{name} is longer than {limit:,} bytes. Shorten it, or raise MARKSCHEME_MAX_BODY_BYTES."
        raise InputError(message)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8: byte {error.start} cannot be read. Save it as UTF-8."
        raise InputError(message) from error
