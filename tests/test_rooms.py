"""Rooms: who owns the folders, and where they are."""

import os
from pathlib import Path

import pytest

from markscheme import rooms as rooms_module
from markscheme.grading.errors import SettingsError
from markscheme.rooms import find_rooms


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package folder that pretends to be the one this code runs from, with the packaged snapshot inside."""
    folder = tmp_path / "checkout" / "service" / "markscheme"
    (folder / "_rooms" / "rubrics").mkdir(parents=True)
    monkeypatch.setattr(rooms_module, "_PACKAGE", folder)
    return folder


def test_a_home_is_taken_even_where_nothing_is_there_yet(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    rooms = find_rooms(home)
    assert (rooms.kind, rooms.seeds, rooms.rubrics, rooms.index) == (
        "home",
        home / "seeds",
        home / "rubrics",
        home / "index",
    )
    assert rooms.models.is_relative_to(rooms.index)
    rooms.require_writable_rubrics()
    assert not home.exists()


def test_a_relative_home_stays_put_when_the_working_folder_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_rooms(Path("marks")).rubrics == tmp_path / "marks" / "rubrics"


def test_a_home_that_is_a_file_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SettingsError, match=r"MARKSCHEME_HOME is .*file.* no folder"):
        find_rooms(file)


def test_the_checkout_wins_over_the_packaged_snapshot(package: Path) -> None:
    checkout = package.parents[1]
    (checkout / "pyproject.toml").touch()
    (checkout / "rubrics").mkdir()
    rooms = find_rooms()
    assert (rooms.kind, rooms.rubrics, rooms.index) == ("checkout", checkout / "rubrics", checkout / "index")
    assert rooms.schema == checkout / "rubrics" / "rubric.schema.json"
    rooms.require_writable_rubrics()


@pytest.mark.parametrize("configured", ["absolute", "relative", "unset"])
def test_an_installed_package_is_read_and_builds_into_the_cache(
    monkeypatch: pytest.MonkeyPatch, package: Path, tmp_path: Path, configured: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    cache = tmp_path / ".cache"
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if configured == "absolute":
        cache = tmp_path / "elsewhere"
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    elif configured == "relative":
        monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    rooms = find_rooms()
    assert (rooms.kind, rooms.seeds, rooms.rubrics) == ("package", package / "_rooms/seeds", package / "_rooms/rubrics")
    assert rooms.index == cache / "markscheme" / "index"
    with pytest.raises(SettingsError, match="MARKSCHEME_HOME"):
        rooms.require_writable_rubrics()


def test_a_rubric_that_goes_while_it_is_looked_at_is_a_change(tmp_path: Path) -> None:
    rooms = find_rooms(tmp_path)
    rooms.index.mkdir()
    assert not rooms.may_be_stale()
    rooms.rubrics.mkdir()
    (rooms.rubrics / "gone.yaml").symlink_to(tmp_path / "nowhere")
    os.utime(rooms.rubrics, (1, 1))
    assert rooms.may_be_stale()


def test_profiles_lie_beside_the_rubrics_and_never_in_a_package(package: Path, tmp_path: Path) -> None:
    home = find_rooms(tmp_path / "home")
    assert home.profiles == tmp_path / "home" / "profiles"
    home.require_writable_profiles()
    packaged = find_rooms()
    assert packaged.profiles.is_relative_to(package)
    with pytest.raises(SettingsError, match="Set MARKSCHEME_HOME"):
        packaged.require_writable_profiles()
