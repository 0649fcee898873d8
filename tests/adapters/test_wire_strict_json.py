import time

import pytest

from markscheme.adapters.wire import read_json
from markscheme.grading.errors import MalformedJsonError


def test_reads_plain_json_from_bytes_and_text() -> None:
    expected = {"a": [1, 2.5, None, True, "é"], "b": {}}
    assert read_json('{"a": [1, 2.5, null, true, "é"], "b": {}}'.encode()) == expected
    assert read_json('{"a": [1, 2.5, null, true, "\\u00e9"], "b": {}}') == expected


def test_a_leading_byte_order_mark_is_no_fault() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"a": 1', "line 1, column 8"),
        (b'{"a": 1}\n{"b": 2}', "line 2, column 1"),
        (b"", "line 1, column 1"),
        (b'{"a": "\xff"}', "Byte 7 is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8"),
        (b'{"a": 1, "a": 2}', "'a' is given twice"),
        (b'{"x": {"a": 1, "a": 1}}', "'a' is given twice"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": Infinity}', "Infinity is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"9" * 41 + b"}", "41 digits"),
        (b'{"\\ud800": 1}', "surrogate"),
        (b'{"a": "tab\there"}', "line 1, column 11"),
    ],
)
def test_what_readers_disagree_about_is_refused_with_its_place(raw: bytes, said: str) -> None:
    with pytest.raises(MalformedJsonError) as caught:
        read_json(raw)
    assert said in str(caught.value)


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_nesting_without_end_is_refused_and_quickly(opening: bytes) -> None:
    started = time.process_time()
    with pytest.raises(MalformedJsonError, match="nested too deeply"):
        read_json(opening * 200_000)
    assert time.process_time() - started < 1


def test_a_million_digits_cost_no_quadratic_time() -> None:
    started = time.process_time()
    with pytest.raises(MalformedJsonError, match="1000000 digits"):
        read_json(b"1" * 1_000_000)
    assert time.process_time() - started < 1
