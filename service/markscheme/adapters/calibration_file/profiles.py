"""Calibrations by name: a folder with one file each."""

import logging
import os
import tempfile
from pathlib import Path

from markscheme.adapters.calibration_file.reading import Unusable, find_calibration, verifier_name, write_calibration
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import CalibrationRefusedError, InputError, UnknownProfileError, UnusableProfileError
from markscheme.grading.profile_name import IN_WORDS, is_profile_name

_LOG = logging.getLogger(__name__)

_SHOWN_CHARACTERS = 70


class ProfileFolder:
    """The profiles of one installation, to be used with one verifier.

    `verifier` is its fingerprint, None where there is none. The folder need not exist.
    """

    def __init__(self, folder: Path, verifier: str | None) -> None:
        self._folder = folder
        self._verifier = verifier

    def load(self, name: str) -> Calibration:
        """The calibration of a profile.

        Raises:
            UnknownProfileError: there is none of that name.
            UnusableProfileError: it cannot be read, or does not go with the verifier in use; the log has the details.
        """
        # Only what is a name may become part of a path.
        if not is_profile_name(name) or not self._path(name).is_file():
            shown = name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}..."
            # Neither where profiles are nor what others are called is the business of whoever sends requests.
            message = f"There is no calibration profile {shown!r}. `markscheme calibrate` makes one."
            raise UnknownProfileError(message, pointer="/profile")
        found = find_calibration(self._path(name), with_verifier=self._verifier is not None, verifier=self._verifier)
        if isinstance(found, Unusable):
            details = f"{self._path(name)}: {found.reason}{found.details or '.'}"
            _LOG.warning("Profile %s cannot be used. %s", name, details)
            message = f"The calibration profile {name!r} cannot be used: {found.reason}."
            raise UnusableProfileError(message, pointer="/profile", details=details)
        return found

    def refuse_taken(self, name: str, *, replace: bool) -> None:
        """Say before the work whether `save` can take a name.

        Raises:
            InputError: it is no name of a profile.
            CalibrationRefusedError: there is such a profile, and it is not to be replaced.
        """
        if not is_profile_name(name):
            message = f"A profile cannot be called {name!r}. Take {IN_WORDS}."
            raise InputError(message)
        if not replace and self._path(name).exists():
            raise _taken(name, self._path(name))

    def save(self, calibration: Calibration, fitted_on: str, *, replace: bool) -> Path:
        """Write a profile of the calibration's name, whole or not at all, and give its path.

        Raises:
            InputError: the calibration has no name that a profile can have.
            CalibrationRefusedError: there is such a profile, and it is not to be replaced.
            OSError: it cannot be written.
        """
        name = calibration.name
        self.refuse_taken(name, replace=replace)
        self._folder.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(prefix=".unfinished-", dir=self._folder)
        try:
            verifier = verifier_name(self._verifier) if self._verifier else None
            write_calibration(Path(unfinished), calibration, fitted_on, verifier)
            # mkstemp lets nobody else read; other users of a service's folder may read a profile as any other file.
            os.fchmod(handle, 0o644)
            os.fsync(handle)
            self._switch(Path(unfinished), name, replace=replace)
        finally:
            os.close(handle)
            Path(unfinished).unlink(missing_ok=True)
        return self._path(name)

    def _switch(self, unfinished: Path, name: str, *, replace: bool) -> None:
        path = self._path(name)
        if replace:
            unfinished.replace(path)
            return
        try:
            # Unlike a rename this fails where another run has just made a profile of that name.
            path.hardlink_to(unfinished)
        except FileExistsError:
            raise _taken(name, path) from None

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _taken(name: str, path: Path) -> CalibrationRefusedError:
    return CalibrationRefusedError(
        f"There is a profile {name} already ({path}), and nothing was saved. Take another name, or replace it with "
        "--force."
    )
