"""Lines of a batch: numbered, bounded, none lost."""

import io
import tracemalloc
from typing import cast

from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import Buffer

from markscheme.cli.batch_lines import Line, numbered_lines


def lines_of(content: bytes, limit: int = 10) -> list[tuple[int, bytes | None]]:
    return [(line.number, line.content) for line in numbered_lines(io.BytesIO(content), limit)]


def test_lines_are_numbered_from_one_and_the_last_needs_no_line_feed() -> None:
    assert lines_of(b"a\nb\r\nc") == [(1, b"a\n"), (2, b"b\r\n"), (3, b"c")]


def test_a_line_at_the_limit_is_read_and_one_byte_more_is_not() -> None:
    assert lines_of(b"0123456789\n01234567890\nlast") == [(1, b"0123456789\n"), (2, None), (3, b"last")]
    assert lines_of(b"01234567890") == [(1, None)]


def test_empty_lines_count_between_others_and_not_at_the_end() -> None:
    assert lines_of(b"a\n\n \nb\n\n\n") == [(1, b"a\n"), (2, b""), (3, b""), (4, b"b\n")]
    assert lines_of(b"\na\n") == [(1, b""), (2, b"a\n")]
    assert lines_of(b"\n\n") == []
    assert lines_of(b"") == []


def test_a_line_that_is_too_long_after_empty_ones_keeps_its_number() -> None:
    assert lines_of(b"\n" + b"x" * 50 + b"\nb") == [(1, b""), (2, None), (3, b"b")]


@given(st.lists(st.binary(max_size=30).filter(lambda raw: b"\n" not in raw and raw.strip())))
def test_every_line_is_given_once_and_in_order(contents: list[bytes]) -> None:
    found = list(numbered_lines(io.BytesIO(b"\n".join(contents)), 20))
    assert [line.number for line in found] == list(range(1, len(contents) + 1))
    assert [(line.content or b"").rstrip(b"\n") for line in found] == [
        raw if len(raw) <= 20 else b"" for raw in contents
    ]


def test_a_line_far_over_the_limit_is_never_held() -> None:
    class Endless(io.RawIOBase):
        left = 50_000_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Buffer) -> int:
            view = memoryview(buffer)
            size = min(len(view), self.left)
            view[:size] = b"x" * size
            self.left -= size
            return size

    tracemalloc.start()
    try:
        found = list(numbered_lines(io.BufferedReader(cast("io.FileIO", Endless())), 1_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == [Line(1, None)]
    assert peak < 2_000_000
