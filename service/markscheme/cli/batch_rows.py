"""Where the rows of a batch go: a file that appears only when it is whole, or a stream."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import FileIO
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from markscheme.cli.inputs import STANDARD
from markscheme.grading.errors import InputError


class FileRows(AbstractContextManager["FileRows"]):
    """Rows in `<target>.partial`, which becomes `target` at the end.

    `place` says where the rows are that were written, `done` how many, those of a run that was resumed included.
    """

    resumable = True

    def __init__(self, target: Path, *, resume: bool) -> None:
        self._target = target
        self._partial = target.with_name(f"{target.name}.partial")
        self.place = str(self._partial)
        try:
            # Unbuffered: a row that was written is safe from whatever happens to this process.
            self._file = self._partial.open("r+b" if resume and self._partial.exists() else "wb", buffering=0)
        except OSError as error:
            message = f"Cannot write {self._partial}: {error.strerror}."
            raise InputError(message) from error
        self.done, self._end = self._whole_rows()
        self._file.truncate(self._end)
        self._file.seek(self._end)

    def write(self, row: bytes) -> None:
        """Write one row, line feed included, whole or not at all. Raises OSError."""
        with _uninterrupted():
            try:
                _write_all(self._file, row)
            except BaseException:
                self._file.truncate(self._end)
                raise
            self._end += len(row)
            self.done += 1

    def finish(self) -> None:
        """Give the file its own name. Raises OSError."""
        os.fsync(self._file.fileno())
        self._file.close()
        self._partial.replace(self._target)

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def _whole_rows(self) -> tuple[int, int]:
        rows = end = 0
        with self._partial.open("rb") as file:
            for row in file:
                # The last one may have been cut off by a power failure or a kill.
                if row.endswith(b"\n"):
                    rows, end = rows + 1, end + len(row)
        return rows, end


class StreamRows(AbstractContextManager["StreamRows"]):
    """Rows on standard output, or in a device or pipe that has a name and cannot be replaced."""

    resumable = False

    def __init__(self, target: str) -> None:
        self.done = 0
        self.place = "standard output" if target == STANDARD else target
        self._owned = None if target == STANDARD else Path(target).open("wb", buffering=0)  # noqa: SIM115 - see __exit__
        self._file = self._owned or sys.stdout.buffer

    def write(self, row: bytes) -> None:
        """Write one row, line feed included. Raises OSError."""
        with _uninterrupted():
            _write_all(self._file, row)
            self._file.flush()
            self.done += 1

    def finish(self) -> None:
        """Nothing: each row was handed over when it was written."""

    def __exit__(self, *_error: object) -> None:
        if self._owned:
            self._owned.close()


def open_rows(target: str, *, resume: bool) -> FileRows | StreamRows:
    """Open the output. Raises InputError where it cannot be written, or cannot be resumed."""
    path = Path(target)
    if target == STANDARD or (path.exists() and not path.is_file()):
        if resume:
            message = f"--resume needs an output file; {target} keeps no rows to go on after."
            raise InputError(message)
        if path.is_dir():
            message = f"{target} is a folder. Name a file."
            raise InputError(message)
        return StreamRows(target)
    return FileRows(path, resume=resume)


def _write_all(file: BinaryIO | FileIO, row: bytes) -> None:
    rest = memoryview(row)
    while rest:
        rest = rest[file.write(rest) :]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back the first Ctrl-C until the row is whole. A second one acts at once: a pipe may never take the rest."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    waiting = False

    def remember(_number: int, _frame: FrameType | None) -> None:
        nonlocal waiting
        if waiting:
            raise KeyboardInterrupt
        waiting = True

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if waiting:
        raise KeyboardInterrupt
