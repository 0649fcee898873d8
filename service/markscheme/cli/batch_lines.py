"""Lines of a batch, read one at a time in bounded memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_DISCARDED_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `number` counts from 1. `content` is None where the line is over the limit."""

    number: int
    content: bytes | None


def numbered_lines(stream: BinaryIO, limit: int) -> Iterator[Line]:
    """Every line of at most `limit` bytes; longer ones are read over, never held.

    An empty line between others counts, so that the output has a line for each; empty lines at the end do not.
    """
    number = 0
    first_empty: int | None = None
    while content := stream.readline(limit + 1):
        number += 1
        too_long = len(content) > limit and not content.endswith(b"\n")
        if too_long:
            _skip_rest(stream)
        elif not content.strip():
            first_empty = first_empty or number
            continue
        for empty in range(first_empty or number, number):
            yield Line(empty, b"")
        first_empty = None
        yield Line(number, None if too_long else content)


def _skip_rest(stream: BinaryIO) -> None:
    while (rest := stream.readline(_DISCARDED_BYTES)) and not rest.endswith(b"\n"):
        pass
