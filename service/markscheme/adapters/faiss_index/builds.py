"""Which build of an index is served, and how the next one takes over.

    index/CURRENT                     the name of the served build, one line
    index/builds/000007-3f0c.../      files that never change once the name is in CURRENT
    index/.lock                       held by the one build that runs

A build's name ends in the checksum of its manifest, and the manifest holds those of its files: so CURRENT vouches for
every byte. It is a file and no symbolic link because links get lost where folders are copied, packed or mounted.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from markscheme.grading.errors import IndexBusyError, IndexDamagedError, IndexMissingError, UnservableIndexError

CHECKSUM_DIGITS = 16
_NAME = re.compile(rf"(\d{{6,}})-([0-9a-f]{{{CHECKSUM_DIGITS}}})")
_LONGEST_NAME = 64
_UNFINISHED = ".unfinished-"
# The one before stays, for a reader that had just read its name, and to go back to by hand.
_KEPT = 2


class Builds:
    """The builds under one folder."""

    def __init__(self, root: Path) -> None:
        """Name the folder; it need not exist yet."""
        self.root = root
        self._folder = root / "builds"
        self._current = root / "CURRENT"
        self._held = False

    def current(self) -> Path:
        """The folder of the served build.

        Raises:
            IndexMissingError: nothing was built yet.
            IndexDamagedError: the name of the served build cannot be read, or it is gone.
        """
        try:
            name = self._current.read_bytes()[: _LONGEST_NAME + 1]
        except FileNotFoundError:
            message = f"There is no index in {self.root}. Run `markscheme build`."
            raise IndexMissingError(message) from None
        except OSError as error:
            message = f"{self._current} cannot be read ({error.strerror}). Mend it or run `markscheme build`."
            raise IndexDamagedError(message) from error
        text = name.decode("ascii", "replace")
        if not text.endswith("\n") or not _NAME.fullmatch(text[:-1]) or not (self._folder / text[:-1]).is_dir():
            message = f"{self._current} names no build of this index. Run `markscheme build`."
            raise IndexDamagedError(message)
        return self._folder / text[:-1]

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the lock; it goes with the process, however that ends. May be entered again by its holder.

        Raises:
            IndexBusyError: another process, or another holder in this one, has it.
        """
        if self._held:
            yield
            return
        with self._open_lock() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                message = f"Another build is writing the index in {self.root}. Run `markscheme build` when it is done."
                raise IndexBusyError(message) from None
            self._held = True
            try:
                yield
            finally:
                self._held = False

    def serves(self, manifest_checksum: str) -> bool:
        """Whether the served build has this manifest."""
        try:
            return self.current().name.endswith(manifest_checksum[:CHECKSUM_DIGITS])
        except UnservableIndexError:
            return False

    def start(self) -> Path:
        """An empty folder to write the next build into. What killed builds left is removed. Needs the lock."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for leftover in self._folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover)
        folder = self._folder / f"{_UNFINISHED}{os.getpid()}"
        folder.mkdir()
        return folder

    def discard(self, unfinished: Path) -> None:
        """Remove what `start` gave. Needs the lock."""
        shutil.rmtree(unfinished)

    def switch(self, unfinished: Path, manifest_checksum: str) -> Path:
        """Serve a written build from now on, in one step, and give its folder. Needs the lock.

        Every byte is on the disk before CURRENT names it, so a crash or a power cut leaves the old build or the new.
        """
        for file in unfinished.iterdir():
            _sync(file)
        _sync(unfinished)
        newest = max((_number(folder) for folder in self._all()), default=0)
        folder = self._folder / f"{newest + 1:06d}-{manifest_checksum[:CHECKSUM_DIGITS]}"
        unfinished.rename(folder)
        _sync(self._folder)
        pointer = self._current.with_name("CURRENT.next")
        pointer.write_text(f"{folder.name}\n", "ascii")
        _sync(pointer)
        pointer.replace(self._current)
        _sync(self.root)
        for old in self._all()[:-_KEPT]:
            shutil.rmtree(old)
        return folder

    def _open_lock(self) -> BinaryIO:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            return (self.root / ".lock").open("wb")
        except OSError as error:
            message = f"The index cannot be written to {self.root} ({error.strerror}). Set MARKSCHEME_HOME to a folder."
            raise UnservableIndexError(message) from error

    def _all(self) -> list[Path]:
        """Every whole build, oldest first."""
        return sorted((folder for folder in self._folder.iterdir() if _NAME.fullmatch(folder.name)), key=_number)


def _number(build: Path) -> int:
    return int(build.name.split("-")[0])


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
