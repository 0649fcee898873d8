"""What is written to a terminal is made harmless first: answers and files may hold control sequences."""

import json
from collections.abc import Mapping

import typer

_KEPT = "\t\n"
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HARMLESS = {code: "\N{REPLACEMENT CHARACTER}" for code in _CONTROLS if chr(code) not in _KEPT}


def printable(text: str) -> str:
    """Replace what could move the cursor, change colours or turn the direction of writing."""
    return text.translate(_HARMLESS)


def print_error(code: str, message: str) -> None:
    """Print `error[code]: message` on stderr; a message of several faults takes a line for each."""
    for line in message.splitlines():
        print_note(f"error[{code}]: {line}")


def print_note(text: str) -> None:
    """Print one line on stderr."""
    typer.echo(printable(text), err=True)


def print_json(value: Mapping[str, object]) -> None:
    """Print one object on one line of stdout, as UTF-8 whatever the locale says."""
    typer.echo(json.dumps(value, ensure_ascii=False).encode())


def print_line(text: str) -> None:
    """Print one line on stdout."""
    typer.echo(printable(text))
