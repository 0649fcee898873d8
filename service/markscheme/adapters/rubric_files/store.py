"""The folder of rubric files."""

import os
import re
import secrets
import stat
from pathlib import Path

from markscheme.adapters.rubric_files.format import format_rubric
from markscheme.adapters.rubric_files.model import ID_PATTERN
from markscheme.adapters.rubric_files.parse import parse_rubric
from markscheme.grading.errors import ContentError, Fault
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import RubricStore

SUFFIX = ".yaml"
_ID = re.compile(ID_PATTERN)


class RubricFiles(RubricStore):
    """`<topic>/<question>.yaml` under one folder. What does not end in .yaml or .yml is left alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> list[Rubric]:
        """Every rubric, ordered by id; a folder that does not exist holds none.

        Raises:
            ContentError: with every fault of every file.
        """
        rubrics: list[Rubric] = []
        faults: list[Fault] = []
        for path in sorted(self._folder.rglob("*")):
            relative = path.relative_to(self._folder)
            if path.suffix not in {SUFFIX, ".yml"} or any(part.startswith(".") for part in relative.parts):
                continue
            if path.suffix != SUFFIX:
                faults.append(Fault(str(path), None, f"would not be found by its id: rename it to end in {SUFFIX}"))
                continue
            read = self._read(path)
            if isinstance(read, Rubric):
                rubrics.append(read)
            else:
                faults.extend(read)
        if faults:
            raise ContentError(faults)
        return sorted(rubrics, key=lambda rubric: rubric.id)

    def find(self, rubric_id: str) -> Rubric | None:
        """One rubric, or None where no file has it; an id that is none cannot name a file outside the folder.

        Raises:
            ContentError: with every fault of that file.
        """
        path = self._path(rubric_id)
        if path is None or not path.exists():
            return None
        read = self._read(path)
        if isinstance(read, Rubric):
            return read
        raise ContentError(read)

    def save(self, rubric: Rubric) -> Path:
        """Write one rubric, whole or not at all, and give its path.

        Raises:
            ContentError: the rubric would not load again; nothing was written.
        """
        faults = self.check(rubric)
        if faults:
            raise ContentError(faults)
        path = self._folder / f"{rubric.id}{SUFFIX}"
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, format_rubric(rubric).encode())
        return path

    def check(self, rubric: Rubric) -> list[Fault]:
        """What would keep a rubric from loading again, by the lines of the file that it would have."""
        path = self._path(rubric.id)
        if path is None:
            message = (
                f"'{rubric.id}' cannot name a rubric: use <topic>/<question> in small letters, figures and hyphens"
            )
            return [Fault(str(self._folder), None, message)]
        read = parse_rubric(format_rubric(rubric), str(path), rubric.id)
        return [] if isinstance(read, Rubric) else read

    def _path(self, rubric_id: str) -> Path | None:
        return self._folder / f"{rubric_id}{SUFFIX}" if _ID.fullmatch(rubric_id) else None

    def _read(self, path: Path) -> Rubric | list[Fault]:
        file = str(path)
        try:
            # Reading a pipe or a device could wait, or go on, for ever.
            if not stat.S_ISREG(path.stat().st_mode):
                return [Fault(file, None, "is no regular file: remove it, or write the rubric there")]
            raw = path.read_bytes()
        except OSError as error:
            return [Fault(file, None, f"cannot be read: {error.strerror}")]
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            return [Fault(file, line, "is not UTF-8: save it in that encoding")]
        return parse_rubric(text, file, path.relative_to(self._folder).with_suffix("").as_posix())


def _replace(path: Path, content: bytes) -> None:
    """Put a file in place in one step: a reader, or a crash, finds the old one or the new one."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
