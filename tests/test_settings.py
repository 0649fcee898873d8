"""Settings: what the environment gives, and what is said of a wrong value."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from markscheme import settings as settings_module
from markscheme.grading.errors import SettingsError
from markscheme.settings import PREFIX, Allowed, Settings, load_settings, usable_processors

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)


def documented_settings() -> dict[str, tuple[str, str]]:
    """Default and meaning of each variable in README's table."""
    rows = (line.strip().strip("|").split("|") for line in README.read_text("utf-8").splitlines() if "|" in line)
    cells = ([cell.strip() for cell in row] for row in rows)
    return {row[0].strip("`"): (row[1].strip("`"), row[2]) for row in cells if row[0].startswith(f"`{PREFIX}")}


def test_the_readme_lists_every_setting_with_its_default() -> None:
    expected = {f"{PREFIX}{name.upper()}": field.default for name, field in Settings.model_fields.items()}
    listed = documented_settings()
    assert set(listed) == set(expected)
    for name, default in expected.items():
        shown, meaning = listed[name]
        assert shown.replace(",", "") == ("" if default is None else str(default)), name
        assert meaning, name


def test_every_setting_says_what_it_means_and_what_it_takes() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert [entry for entry in field.metadata if isinstance(entry, Allowed)], name


def test_defaults_stand_where_nothing_is_set() -> None:
    settings = load_settings()
    assert (settings.home, settings.host, settings.port) == (None, "127.0.0.1", 8000)
    assert (settings.embedder, settings.verifier) == ("minilm", "minilm")
    assert (settings.max_answer_chars, settings.max_body_bytes) == (20_000, 1_048_576)


def test_variables_are_read_when_asked_and_not_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MARKSCHEME_HOME", str(tmp_path))
    monkeypatch.setenv("MARKSCHEME_PORT", "9001")
    monkeypatch.setenv("MARKSCHEME_VERIFIER", "somebody/some-model")
    monkeypatch.setenv("MARKSCHEME_LOG_LEVEL", "WARNING")
    settings = load_settings()
    assert settings.verifier == "somebody/some-model"
    assert (settings.home, settings.port, settings.log_level) == (tmp_path, 9001, "warning")


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARKSCHEME_HOME", "")
    monkeypatch.setenv("MARKSCHEME_PORT", "")
    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("our-school", "our-school"),
        ("./our-school", Path("our-school")),
        ("marks.json", Path("marks.json")),
        ("Ours", Path("Ours")),
        ("sub/marks", Path("sub/marks")),
        ("", None),
    ],
)
def test_a_calibration_is_a_profile_or_a_file(monkeypatch: pytest.MonkeyPatch, given: str, read: object) -> None:
    monkeypatch.setenv("MARKSCHEME_CALIBRATION", given)
    found = load_settings().calibration
    assert (type(found), found) == (type(read), read)


def test_a_tilde_stands_for_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MARKSCHEME_HOME", "~/marks")
    assert load_settings().home == tmp_path / "marks"


@pytest.mark.parametrize("name", ["MARKSCHEME_HOME", "MARKSCHEME_CALIBRATION"])
def test_the_home_folder_of_nobody_is_a_wrong_value(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "~no-such-user/x")
    with pytest.raises(SettingsError, match=f"{name} is '~no-such-user/x'; allowed is a path"):
        load_settings()


def test_importing_reads_nothing() -> None:
    environment = {**os.environ, "MARKSCHEME_PORT": "no port"}
    modules = "markscheme.settings, markscheme.rooms, markscheme.bootstrap, markscheme.cli.app"
    subprocess.run([sys.executable, "-c", f"import {modules}"], env=environment, check=True)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("PORT", "http", "a whole number from 0 to 65535"),
        ("PORT", "65536", "a whole number from 0 to 65535"),
        ("MAX_ANSWER_CHARS", "0", "a whole number from 1 to 1000000"),
        ("MAX_BODY_BYTES", "1.5", "a whole number from 1024 to 1073741824"),
        ("THREADS", "-1", "a whole number from 0 to 1024"),
        ("QUEUE_LIMIT", "-1", "a whole number from 0 to 100000"),
        ("LOG_LEVEL", "loud", "debug, info, warning or error"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name}", value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert f"{PREFIX}{name} is {value!r}; allowed is {allowed}." in str(caught.value)


def test_every_wrong_value_is_named_at_once_and_long_ones_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARKSCHEME_PORT", "x" * 500)
    monkeypatch.setenv("MARKSCHEME_THREADS", "many")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    first, second = str(caught.value).splitlines()
    assert first.startswith("MARKSCHEME_PORT is 'xxx")
    assert len(first) < 200
    assert second.startswith("MARKSCHEME_THREADS is 'many'")


def test_threads_are_those_asked_for() -> None:
    assert Settings(threads=3).usable_threads == 3


def test_threads_follow_the_processors_when_none_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "usable_processors", lambda: 7)
    assert Settings().usable_threads == 7


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 8),
        ({"cpu.max": "max 100000\n"}, 8),
        ({"cpu.max": "250000 100000\n"}, 2),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "9900000 100000\n"}, 8),
        ({"cpu.max": "100000 0\n"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8),
    ],
)
def test_processors_are_bounded_by_affinity_and_quota(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: dict[str, str], expected: int
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "ascii")
    monkeypatch.setattr(settings_module, "_CGROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(8)), raising=False)
    assert usable_processors() == expected


def test_processors_are_counted_where_affinity_is_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings_module, "_CGROUP", tmp_path)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_processors() == 1
