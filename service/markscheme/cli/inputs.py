"""Files that a command is given, `-` being standard input."""

import hashlib
import os
import sys
from pathlib import Path
from typing import BinaryIO

from markscheme.grading.errors import InputError

STANDARD = "-"


def open_bytes(name: str) -> BinaryIO:
    """Open a file, or standard input, for reading bytes. Raises InputError."""
    if name == STANDARD:
        if sys.stdin is None:
            message = "Cannot read standard input: it is closed. Give the name of a file."
            raise InputError(message)
        return sys.stdin.buffer
    try:
        return open(name, "rb")  # noqa: PTH123 - the caller closes it
    except OSError as error:
        message = f"Cannot read {name}: {error.strerror}."
        raise InputError(message) from error


def is_same_file(stream: BinaryIO, path: Path) -> bool:
    """Whether an open file is the regular one at `path`, by whatever name or link. False where either is none."""
    try:
        return path.is_file() and os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except OSError:
        return False


def can_be_read_again(name: str) -> bool:
    """Whether a file that is opened anew begins anew: not so for standard input, pipes and devices."""
    return name != STANDARD and Path(name).is_file()


def sha256(stream: BinaryIO) -> str:
    """The hexadecimal SHA-256 of a whole file, which is read from its start again afterwards. Raises OSError."""
    digest = hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # BinaryIO has readinto, untold
    stream.seek(0)
    return digest


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
