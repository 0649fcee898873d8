"""Rows of a batch: whole or not there, and never lost once written."""

import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from markscheme.cli.batch_rows import FileRows, StreamRows, open_rows
from markscheme.grading.errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


Opener = Callable[..., FileRows]


@pytest.fixture
def file_rows() -> Iterator[Opener]:
    """Opens a file for rows, and closes it after the test."""
    with ExitStack() as stack:

        def open_it(target: Path, *, resume: bool = False) -> FileRows:
            rows = open_rows(str(target), resume=resume)
            assert isinstance(rows, FileRows)
            return stack.enter_context(rows)

        yield open_it


def test_the_file_appears_only_when_it_is_whole(file_rows: Opener, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"of an earlier run\n")
    rows = file_rows(target)
    rows.write(b"1\n")
    assert target.read_bytes() == b"of an earlier run\n"
    assert Path(rows.place).read_bytes() == b"1\n"
    rows.finish()
    assert target.read_bytes() == b"1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_row_is_in_the_file_as_soon_as_it_is_written(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out")
    rows.write(b"1\n")
    assert (tmp_path / "out.partial").read_bytes() == b"1\n"
    rows.write(b"2\n")
    assert (tmp_path / "out.partial").read_bytes() == b"1\n2\n"
    assert rows.done == 2
    rows.finish()


def test_resuming_goes_on_after_the_last_whole_row(file_rows: Opener, tmp_path: Path) -> None:
    (tmp_path / "out.partial").write_bytes(b"1\n2\n{cut o")
    rows = file_rows(tmp_path / "out", resume=True)
    assert rows.done == 2
    rows.write(b"3\n")
    rows.finish()
    assert (tmp_path / "out").read_bytes() == b"1\n2\n3\n"


def test_resuming_where_nothing_was_begun_starts_anew(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out", resume=True)
    assert rows.done == 0
    rows.finish()


def test_without_resuming_an_earlier_run_is_forgotten(file_rows: Opener, tmp_path: Path) -> None:
    (tmp_path / "out.partial").write_bytes(b"1\n2\n")
    rows = file_rows(tmp_path / "out")
    assert rows.done == 0
    rows.finish()
    assert (tmp_path / "out").read_bytes() == b""


def test_a_row_that_does_not_fit_leaves_nothing_of_itself(file_rows: Opener, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    rows = file_rows(tmp_path / "out")
    rows.write(b"1\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            rows.write(b"x" * 500 + b"\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, previous)
    assert (tmp_path / "out.partial").read_bytes() == b"1\n"
    assert rows.done == 1
    rows.finish()


class Interrupting(io.FileIO):
    """A file that gets Ctrl-C, `times` over, in the midst of its first write."""

    times = 0

    def write(self, row: "ReadableBuffer") -> int:
        taken = super().write(memoryview(row)[:3])
        while self.times:
            self.times -= 1
            signal.raise_signal(signal.SIGINT)
        return taken


def interrupt(rows: FileRows, times: int) -> None:
    rows._file.close()
    rows._file = Interrupting(rows.place, "wb")
    rows._file.times = times


def test_ctrl_c_within_a_row_waits_until_the_row_is_whole(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out")
    interrupt(rows, times=1)
    with pytest.raises(KeyboardInterrupt):
        rows.write(b"0123456789\n")
    assert (tmp_path / "out.partial").read_bytes() == b"0123456789\n"
    assert rows.done == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_acts_at_once_and_takes_the_row_back(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out")
    interrupt(rows, times=2)
    with pytest.raises(KeyboardInterrupt):
        rows.write(b"0123456789\n")
    assert (tmp_path / "out.partial").read_bytes() == b""
    assert rows.done == 0


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it(file_rows: Opener, tmp_path: Path) -> None:
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        rows = file_rows(tmp_path / "out")
        interrupt(rows, times=1)
        rows.write(b"0123456789\n")
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, previous)


def test_a_named_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        rows = open_rows(str(pipe), resume=False)
        with rows:
            assert isinstance(rows, StreamRows)
            rows.write(b"1\n")
            rows.finish()
        assert os.read(reader, 10) == b"1\n"
        assert pipe.is_fifo()
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("target", "resume", "message"),
    [("folder", False, "is a folder"), ("missing/out", False, "Cannot write .*No such file"), ("-", True, "--resume")],
)
def test_an_output_that_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, target: str, resume: bool, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        open_rows(target, resume=resume)
