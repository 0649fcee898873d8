"""Where the rows of a batch go: a file that appears only when it is whole, or a stream."""

import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from io import FileIO
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from markscheme.cli.inputs import STANDARD
from markscheme.grading.errors import InputError


@dataclass(frozen=True, slots=True)
class Origin:
    """What rows were made from: the input, as the SHA-256 of the whole file, the grader's versions, and the options."""

    input_sha256: str
    grader: Mapping[str, str | None]
    options: Mapping[str, object] = field(default_factory=dict)


def rows_files(target: Path) -> tuple[Path, Path, Path]:
    """Every file that a run writes: the target, its unfinished rows, and their origin."""
    partial = target.with_name(f"{target.name}.partial")
    return target, partial, partial.with_name(f"{partial.name}.origin")


class FileRows(AbstractContextManager["FileRows"]):
    """Rows in `<target>.partial`, which becomes `target` at the end.

    `<target>.partial.origin` holds their origin until then, so that only the run that was stopped is resumed. Without
    an `origin` there is no such file, and the rows cannot be resumed.

    `place` says where the rows are that were written, `done` how many, those of a run that was resumed included.
    """

    def __init__(self, target: Path, origin: Origin | None, *, resume: bool) -> None:
        self._target, self._partial, self._origin = rows_files(target)
        self.place = str(self._partial)
        self.resumable = origin is not None
        try:
            self.done, self._end = self._whole_rows()
            if self.done:
                self._refuse_foreign_rows(origin, resume=resume)
            elif origin:
                self._origin.write_text(json.dumps(asdict(origin)) + "\n", "utf-8")
            else:
                self._origin.unlink(missing_ok=True)
            # Unbuffered: a row that was written is safe from whatever happens to this process.
            self._file = self._partial.open("r+b" if self.done else "wb", buffering=0)
        except OSError as error:
            message = f"Cannot write {self._partial}: {error.strerror}."
            raise InputError(message) from error
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
        self._origin.unlink(missing_ok=True)

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def _refuse_foreign_rows(self, origin: Origin | None, *, resume: bool) -> None:
        if not resume:
            message = (
                f"{self._partial} holds {self.done:,} finished rows of a run that was stopped: "
                "--resume goes on after them; delete it to begin anew."
            )
            raise InputError(message)
        before = _read_origin(self._origin)
        if before is None or origin is None:
            message = f"Nothing tells what the rows in {self._partial} were made from. Delete it to begin anew."
            raise InputError(message)
        differs = []
        if before.input_sha256 != origin.input_sha256:
            differs.append("the input")
        if names := _different(before.grader, origin.grader):
            differs.append(f"the grader ({', '.join(names)})")
        if names := _different(before.options, origin.options):
            differs.append(", ".join(f"--{name}" for name in names))
        if differs:
            message = (
                f"{self._partial} was begun with something else; what differs is {' and '.join(differs)}. "
                "Delete it to begin anew, or give back the old input, settings and options to go on."
            )
            raise InputError(message)

    def _whole_rows(self) -> tuple[int, int]:
        rows = end = 0
        if not self._partial.exists():
            return rows, end
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


def open_rows(target: str, origin: Origin | None, *, resume: bool) -> FileRows | StreamRows:
    """Open the output.

    Args:
        target: A file, or `-`.
        origin: What the rows will be made from; None where the input cannot be read again.
        resume: Go on after the rows of a run that was stopped.

    Raises:
        InputError: It cannot be written or resumed, or holds rows that would be lost.
    """
    path = Path(target)
    if target == STANDARD or (path.exists() and not path.is_file()):
        if resume:
            message = f"--resume needs an output file; {target} keeps no rows to go on after."
            raise InputError(message)
        if path.is_dir():
            message = f"{target} is a folder. Name a file."
            raise InputError(message)
        return StreamRows(target)
    return FileRows(path, origin, resume=resume)


def _different(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [name for name in {**before, **now} if before.get(name) != now.get(name)]


def _read_origin(path: Path) -> Origin | None:
    try:
        found = json.loads(path.read_bytes())
        return Origin(found["input_sha256"], dict(found["grader"]), dict(found.get("options", {})))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        # Missing, cut off or of another form: rows of unknown origin.
        return None


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
