"""Where seeds, rubrics and the index live. No other module knows a path of the project."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from markscheme.grading.errors import SettingsError

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Rooms:
    """The folders of one installation. They need not exist yet.

    `kind` says who owns them: a `home` that the user names, the `checkout` that this code runs from, or the installed
    `package`, whose seeds and rubrics are read only.
    """

    kind: Literal["home", "checkout", "package"]
    seeds: Path
    rubrics: Path
    index: Path

    @property
    def models(self) -> Path:
        """Exported embedding models. They are built, so they live in the room that is built and ignored by git."""
        return self.index / "models"

    @property
    def profiles(self) -> Path:
        """Calibration profiles, a file each: made from people's own graded answers, beside the rubrics."""
        return self.rubrics.parent / "profiles"

    @property
    def schema(self) -> Path:
        """The JSON schema of the rubric files, which lies beside them for editors."""
        return self.rubrics / "rubric.schema.json"

    def may_be_stale(self) -> bool:
        """Whether a rubric was touched since the last build. Looks at times only: quick, and no proof.

        A switch of the index changes the time of its folder; so does a rubric that comes or goes that of its own.
        """
        try:
            built = self.index.stat().st_mtime_ns
            return any(path.stat().st_mtime_ns >= built for path in (self.rubrics, *self.rubrics.rglob("*")))
        except OSError:
            # One went away meanwhile: a change. Without any rubrics, as where only an index was shipped, there is none.
            return self.rubrics.is_dir()

    def seed_documents(self, paths: Sequence[Path] = ()) -> list[Path]:
        """Documents in `paths`, else in the room of seeds: files as given, and every .md and .txt under a folder."""
        found: list[Path] = []
        for path in paths or filter(Path.is_dir, [self.seeds]):
            inside = path.rglob("*") if path.is_dir() else [path]
            found += sorted(file for file in inside if not path.is_dir() or _is_document(file))
        return found

    def require_writable_rubrics(self) -> None:
        """Raise SettingsError where the rubrics belong to the installed package."""
        if self.kind == "package":
            message = (
                f"Rubrics would be written into the installed package ({self.rubrics}). "
                "Set MARKSCHEME_HOME to a folder of your own."
            )
            raise SettingsError(message)

    def require_writable_profiles(self) -> None:
        """Raise SettingsError where profiles would lie in the installed package."""
        if self.kind == "package":
            message = (
                f"Profiles would be written into the installed package ({self.profiles}). "
                "Set MARKSCHEME_HOME to a folder of your own."
            )
            raise SettingsError(message)


def find_rooms(home: Path | None = None) -> Rooms:
    """The rooms under `home`, else those of the checkout, else those that were packaged.

    Raises:
        SettingsError: `home` exists and is no folder.
    """
    if home is not None:
        if home.exists() and not home.is_dir():
            message = f"MARKSCHEME_HOME is {str(home)!r}, which is no folder. Name a folder or a path where one can be."
            raise SettingsError(message)
        return _under("home", home.absolute())
    # An editable install also holds a packaged snapshot of the rubrics; it is never updated, so the checkout wins.
    checkout = _PACKAGE.parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "rubrics").is_dir():
        return _under("checkout", checkout)
    packaged = _PACKAGE / "_rooms"
    return Rooms("package", packaged / "seeds", packaged / "rubrics", _cache_folder() / "index")


def _is_document(path: Path) -> bool:
    return path.suffix in {".md", ".txt"} and path.name.lower() != "readme.md" and path.is_file()


def _under(kind: Literal["home", "checkout"], folder: Path) -> Rooms:
    return Rooms(kind, folder / "seeds", folder / "rubrics", folder / "index")


def _cache_folder() -> Path:
    configured = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    base = Path(configured) if Path(configured).is_absolute() else Path.home() / ".cache"
    return base / "markscheme"
