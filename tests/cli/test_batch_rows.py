"""Rows of a batch: whole or not there, and never lost once written."""

import io
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from markscheme.cli.batch_rows import FileRows, Origin, StreamRows, open_rows, rows_files
from markscheme.grading.errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


Opener = Callable[..., FileRows]

ORIGIN = Origin("ab12", {"embedder": "e", "calibration": "c"})


@pytest.fixture
def file_rows() -> Iterator[Opener]:
    """Opens a file for rows, and closes it after the test."""
    with ExitStack() as stack:

        def open_it(target: Path, origin: Origin | None = ORIGIN, *, resume: bool = False) -> FileRows:
            rows = open_rows(str(target), origin, resume=resume)
            assert isinstance(rows, FileRows)
            return stack.enter_context(rows)

        yield open_it


def stopped(file_rows: Opener, target: Path, *written: bytes) -> None:
    with file_rows(target) as rows:
        for row in written:
            rows.write(row)


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
    stopped(file_rows, tmp_path / "out", b"1\n", b"2\n")
    with (tmp_path / "out.partial").open("ab") as file:
        file.write(b"{cut o")
    rows = file_rows(tmp_path / "out", resume=True)
    assert rows.done == 2
    rows.write(b"3\n")
    rows.finish()
    assert (tmp_path / "out").read_bytes() == b"1\n2\n3\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_resuming_where_nothing_was_begun_starts_anew(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out", resume=True)
    assert rows.done == 0
    rows.finish()


def test_without_resuming_the_rows_of_an_earlier_run_are_not_lost(file_rows: Opener, tmp_path: Path) -> None:
    stopped(file_rows, tmp_path / "out", b"1\n", b"2\n")
    with pytest.raises(InputError, match=r"out.partial holds 2 finished rows of a run that was stopped: --resume "):
        file_rows(tmp_path / "out")
    assert (tmp_path / "out.partial").read_bytes() == b"1\n2\n"


@pytest.mark.parametrize("resume", [False, True])
def test_an_earlier_run_without_a_whole_row_may_be_written_over(
    file_rows: Opener, tmp_path: Path, *, resume: bool
) -> None:
    (tmp_path / "out.partial").write_bytes(b"{cut o")
    rows = file_rows(tmp_path / "out", resume=resume)
    assert rows.done == 0
    rows.finish()
    assert (tmp_path / "out").read_bytes() == b""


def test_the_origin_stands_beside_the_rows_until_they_are_whole(file_rows: Opener, tmp_path: Path) -> None:
    rows = file_rows(tmp_path / "out")
    _, _, origin = rows_files(tmp_path / "out")
    grader = {"embedder": "e", "calibration": "c"}
    assert json.loads(origin.read_bytes()) == {"input_sha256": "ab12", "grader": grader, "options": {}}
    assert rows.resumable
    rows.finish()
    assert not origin.exists()


@pytest.mark.parametrize(
    ("now", "differs"),
    [
        (Origin("cd34", ORIGIN.grader), "is the input. Delete"),
        (Origin("ab12", {"embedder": "e", "calibration": "d"}), r"is the grader \(calibration\). Delete"),
        (Origin("ab12", ORIGIN.grader, {"explain": True}), r"is --explain\. Delete"),
        (Origin("cd34", {}), r"is the input and the grader \(embedder, calibration\). Delete"),
        (None, "Nothing tells what the rows"),
    ],
)
def test_another_run_is_not_resumed(file_rows: Opener, tmp_path: Path, now: Origin | None, differs: str) -> None:
    stopped(file_rows, tmp_path / "out", b"1\n")
    with pytest.raises(InputError, match=differs):
        file_rows(tmp_path / "out", now, resume=True)
    assert (tmp_path / "out.partial").read_bytes() == b"1\n"
    assert file_rows(tmp_path / "out", resume=True).done == 1


@pytest.mark.parametrize("origin", [None, b"", b"{}", b"[]", b'{"input_sha256": "ab12", "grader": 1}', b"\xff"])
def test_rows_of_unknown_origin_are_not_resumed(file_rows: Opener, tmp_path: Path, origin: bytes | None) -> None:
    (tmp_path / "out.partial").write_bytes(b"1\n")
    if origin is not None:
        (tmp_path / "out.partial.origin").write_bytes(origin)
    with pytest.raises(InputError, match=r"Nothing tells what the rows in .*out.partial were made from"):
        file_rows(tmp_path / "out", resume=True)


def test_rows_of_an_input_that_is_gone_leave_no_origin(file_rows: Opener, tmp_path: Path) -> None:
    (tmp_path / "out.partial.origin").write_bytes(b"stale")
    rows = file_rows(tmp_path / "out", None)
    assert not rows.resumable
    assert not (tmp_path / "out.partial.origin").exists()


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
        rows = open_rows(str(pipe), ORIGIN, resume=False)
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
        open_rows(target, ORIGIN, resume=resume)
