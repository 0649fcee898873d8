"""Profiles in their folder."""

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from markscheme.adapters.calibration_file import profiles as profiles_module
from markscheme.adapters.calibration_file.profiles import ProfileFolder
from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.grading.coverage import Calibration
from markscheme.grading.errors import CalibrationRefusedError, InputError, UnknownProfileError, UnusableProfileError
from markscheme.grading.logistic import Logistic

OURS = replace(read_calibration(), name="our-school")
VERIFIED = replace(OURS, contradiction=Logistic(("not_contradicted",), (0.0,), (1.0,), (-1.0,), 0.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "profiles"


def test_what_is_saved_is_loaded(folder: Path) -> None:
    profiles = ProfileFolder(folder, None)
    path = profiles.save(OURS, "answers.csv: 40 answers", replace=False)
    assert path == folder / "our-school.json"
    assert profiles.load("our-school") == OURS
    assert read_calibration(path) == OURS
    content = json.loads(path.read_text("utf-8"))
    assert (content["fitted_on"], content["verifier"]) == ("answers.csv: 40 answers", None)
    assert [file.name for file in folder.iterdir()] == ["our-school.json"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_name_that_is_taken_is_replaced_only_on_demand(folder: Path) -> None:
    profiles = ProfileFolder(folder, None)
    profiles.refuse_taken("our-school", replace=False)
    profiles.save(OURS, "first", replace=False)
    other = replace(OURS, coverage=replace(OURS.coverage, intercept=1.5))
    with pytest.raises(CalibrationRefusedError, match=r"our-school already .*--force"):
        profiles.refuse_taken("our-school", replace=False)
    with pytest.raises(CalibrationRefusedError, match="our-school already"):
        profiles.save(other, "second", replace=False)
    assert profiles.load("our-school") == OURS
    profiles.refuse_taken("our-school", replace=True)
    profiles.save(other, "second", replace=True)
    assert profiles.load("our-school") == other


def test_a_profile_that_another_run_has_just_made_is_not_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles = ProfileFolder(folder, None)
    profiles.save(OURS, "first", replace=False)
    monkeypatch.setattr(ProfileFolder, "refuse_taken", lambda *_arguments, **_options: None)
    with pytest.raises(CalibrationRefusedError, match="already"):
        profiles.save(replace(OURS, relaxation=replace(OURS.relaxation, slope=2.0)), "second", replace=False)
    assert profiles.load("our-school") == OURS
    assert len(list(folder.iterdir())) == 1


def test_a_write_that_fails_leaves_the_old_one_and_nothing_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = ProfileFolder(folder, None)
    profiles.save(OURS, "first", replace=False)

    def fail(path: Path, *_others: object) -> None:
        path.write_text("{", "utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(profiles_module, "write_calibration", fail)
    with pytest.raises(OSError, match="No space"):
        profiles.save(replace(OURS, relaxation=replace(OURS.relaxation, slope=2.0)), "second", replace=True)
    assert profiles.load("our-school") == OURS
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("name", ["nobody", "../our-school", "Our-School", "", "our-school.json", "a" * 300, "\0"])
def test_a_name_of_nobody_is_unknown_and_tells_nothing_of_the_machine(folder: Path, name: str) -> None:
    profiles = ProfileFolder(folder / "inner", None)
    ProfileFolder(folder, None).save(OURS, "ours", replace=False)
    with pytest.raises(UnknownProfileError, match="There is no calibration profile") as caught:
        profiles.load(name)
    assert caught.value.pointer == "/profile"
    assert str(folder) not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["Our School", "../x", "", "-a"])
def test_a_name_that_cannot_be_is_refused(folder: Path, name: str) -> None:
    profiles = ProfileFolder(folder, None)
    with pytest.raises(InputError, match="cannot be called"):
        profiles.refuse_taken(name, replace=True)
    with pytest.raises(InputError, match="cannot be called"):
        profiles.save(replace(OURS, name=name), "x", replace=True)
    assert not folder.exists()


def test_a_broken_profile_is_told_without_its_place_and_logged_with_it(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = ProfileFolder(folder, None).save(OURS, "ours", replace=False)
    path.write_text('{"name": "secret"}', "utf-8")
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(
            UnusableProfileError, match=r"^The calibration profile 'our-school' cannot be used: it"
        ) as caught,
    ):
        ProfileFolder(folder, None).load("our-school")
    assert (caught.value.pointer, caught.value.code) == ("/profile", "unusable_profile")
    assert str(folder) not in str(caught.value)
    assert "secret" not in str(caught.value)
    for told in (caught.value.details, caplog.text):
        assert f"{path}: it cannot be read as a calibration: " in told
        assert "secret" in told


def saved_with(folder: Path, calibration: Calibration, verifier: str | None) -> dict[str, object]:
    path = ProfileFolder(folder, verifier).save(calibration, "ours", replace=True)
    content: dict[str, object] = json.loads(path.read_text("utf-8"))
    return content


def test_a_profile_goes_with_the_verifier_that_it_was_fitted_with(folder: Path) -> None:
    assert saved_with(folder, VERIFIED, "large@0123456789ab")["verifier"] == "large"
    # Another version of its files is still the same verifier.
    assert ProfileFolder(folder, "large@ba9876543210").load("our-school") == VERIFIED
    with pytest.raises(
        UnusableProfileError, match=r"'our-school' .* verifier large, and scripted is in use.*--weights"
    ):
        ProfileFolder(folder, "scripted@1").load("our-school")
    with pytest.raises(UnusableProfileError, match="MARKSCHEME_VERIFIER is off"):
        ProfileFolder(folder, None).load("our-school")


def test_a_profile_that_reads_no_verifier_goes_with_any(folder: Path) -> None:
    assert saved_with(folder, OURS, "large@0123456789ab")["verifier"] is None
    for verifier in ("scripted@1", None):
        assert ProfileFolder(folder, verifier).load("our-school") == OURS


def test_a_fingerprint_without_a_version_is_its_own_name(folder: Path) -> None:
    assert saved_with(folder, VERIFIED, "handmade")["verifier"] == "handmade"
    assert ProfileFolder(folder, "handmade").load("our-school") == VERIFIED
