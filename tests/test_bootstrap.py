"""Bootstrap: settings become parts that fit together."""

import logging
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from markscheme import bootstrap
from markscheme.adapters.calibration_file.profiles import ProfileFolder
from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.rubric_files import RubricFiles
from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.adapters.sentence_transformers_export import export
from markscheme.grading.errors import EmbedderError, IndexMismatchError, IndexMissingError, SettingsError, VerifierError
from markscheme.grading.logistic import Logistic
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.request import GradeRequest
from markscheme.rooms import Rooms
from markscheme.settings import Settings

RUBRIC = Rubric("tests/one", "What is a test for?", (Point("p1", "A test tells when something breaks."),), "Tests")
ANSWER = "A test tells when something breaks."


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", embedder="hashing", threads=1)


@pytest.fixture
def built(settings: Settings) -> Settings:
    """Settings of a home with one rubric, indexed a minute after it was written."""
    path = bootstrap.rubric_store(settings).save(RUBRIC)
    bootstrap.build_index(settings)
    for touched in (path, path.parent, path.parent.parent):
        moved(touched, -60)
    return settings


def moved(path: Path, seconds: int) -> None:
    """Shift a file in time."""
    before = path.stat().st_mtime
    os.utime(path, (before + seconds, before + seconds))


def test_a_grader_grades_by_the_index(built: Settings) -> None:
    grade = bootstrap.grader(built).grade(GradeRequest(ANSWER, question_id=RUBRIC.id))
    assert (grade.question_id, grade.rubric_version) == (RUBRIC.id, RUBRIC.version)
    assert grade.points[0].status == "covered"


def test_without_an_index_a_grader_still_grades_by_what_a_request_brings(settings: Settings) -> None:
    grader = bootstrap.grader(settings)
    assert grader.grade(GradeRequest(ANSWER, points=RUBRIC.points)).points[0].status == "covered"
    for _ in range(2):
        with pytest.raises(IndexMissingError, match="markscheme build"):
            grader.grade(GradeRequest(ANSWER, question_id=RUBRIC.id))


@pytest.mark.parametrize(
    "ask",
    [
        lambda index: index.embedder_fingerprint,
        lambda index: index.question_ids(),
        lambda index: index.rubric("a/b"),
        lambda index: index.indexed("a/b"),
        lambda index: index.question_vector("a/b"),
        lambda index: index.similarities("a/b", np.zeros((1, 64), np.float32)),
        lambda index: index.match(np.zeros(64, np.float32), 1),
    ],
)
def test_an_index_of_another_model_is_refused_at_every_use(built: Settings, ask: object) -> None:
    assert callable(ask)
    index = bootstrap.grader(built.model_copy(update={"embedder": "minilm"})).index
    with pytest.raises(IndexMismatchError, match="hashing@1"):
        ask(index)


def test_a_fresh_index_says_nothing(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    bootstrap.grader(built)
    assert caplog.text == ""


def test_an_index_older_than_a_rubric_serves_and_says_so(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    path = bootstrap.rubric_store(built).save(Rubric(RUBRIC.id, "What else is a test for?", RUBRIC.points, "Tests"))
    moved(path, 60)
    grade = bootstrap.grader(built).grade(GradeRequest(ANSWER, question_id=RUBRIC.id))
    assert grade.rubric_version == RUBRIC.version
    assert "older than 1 rubrics" in caplog.text
    assert "markscheme build" in caplog.text


def test_a_rubric_that_is_gone_makes_the_index_old(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    path = bootstrap.rooms(built).rubrics / "tests" / "one.yaml"
    path.unlink()
    moved(path.parent, 60)
    bootstrap.grader(built)
    assert "older than 1 rubrics" in caplog.text


def test_a_rubric_that_was_only_touched_does_not(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    moved(bootstrap.rooms(built).rubrics / "tests" / "one.yaml", 120)
    bootstrap.grader(built)
    assert caplog.text == ""


def test_rubrics_with_faults_do_not_stop_the_served_index(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    path = bootstrap.rooms(built).rubrics / "tests" / "one.yaml"
    path.write_text("points: [", "utf-8")
    moved(path, 60)
    assert bootstrap.grader(built).index.question_ids() == [RUBRIC.id]
    assert "markscheme check" in caplog.text


@pytest.mark.parametrize("failure", [PermissionError("not yours"), KeyError("odd")])
def test_no_failure_of_reading_rubrics_stops_the_served_index(
    built: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    moved(bootstrap.rooms(built).rubrics / "tests" / "one.yaml", 120)

    def fail(_store: RubricFiles) -> list[Rubric]:
        raise failure

    monkeypatch.setattr(RubricFiles, "load", fail)
    assert bootstrap.grader(built).index.question_ids() == [RUBRIC.id]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert repr(failure) in caplog.text


def test_an_index_whose_rubrics_are_not_here_serves(built: Settings, caplog: pytest.LogCaptureFixture) -> None:
    rubrics = bootstrap.rooms(built).rubrics
    rubrics.rename(rubrics.with_name("elsewhere"))
    assert bootstrap.grader(built).index.question_ids() == [RUBRIC.id]
    assert caplog.text == ""


def test_changes_name_each_rubric_once(built: Settings) -> None:
    other = Rubric("tests/two", "And this?", RUBRIC.points)
    index = bootstrap.index(built)
    assert bootstrap.changes_since_build([RUBRIC], index) == []
    assert bootstrap.changes_since_build([other], index) == [
        "tests/one is in the index, but its file is gone",
        "tests/two is not in the index",
    ]


def test_a_broken_calibration_is_named(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text("{}", "utf-8")
    with pytest.raises(SettingsError, match=r"MARKSCHEME_CALIBRATION: .*file\.json"):
        bootstrap.grader(settings.model_copy(update={"calibration": tmp_path / "file.json"}))


def test_the_default_model_is_the_packaged_one(settings: Settings) -> None:
    model = bootstrap.embedder(settings.model_copy(update={"embedder": "minilm"}))
    assert model.fingerprint.startswith("all-MiniLM-L6-v2@")
    assert model.dimension == 384


def test_a_verifier_can_be_left_out(settings: Settings) -> None:
    assert bootstrap.verifier(settings.model_copy(update={"verifier": "off"})) is None


def test_a_verifier_without_a_model_counts_words(settings: Settings) -> None:
    verifier = bootstrap.verifier(settings.model_copy(update={"verifier": "scripted"}))
    assert verifier is not None
    assert verifier.verify([Claim("", ANSWER, ANSWER)]) == [Verification(1, 0)]


def test_any_other_verifier_is_looked_for_where_it_is_said_to_be(settings: Settings, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    with pytest.raises(VerifierError, match=f"{nowhere} is no folder"):
        bootstrap.verifier(settings.model_copy(update={"verifier": str(nowhere)}))


def test_another_model_is_exported_by_a_build_and_by_nothing_else(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = settings.model_copy(update={"embedder": "somebody/some-model"})
    asked: list[tuple[str, Path]] = []

    def pretend(model: str, cache: Path) -> Path:
        asked.append((model, cache))
        return export.exported_folder(model, cache)

    monkeypatch.setattr(export, "export_model", pretend)
    with pytest.raises(EmbedderError, match="markscheme build"):
        bootstrap.grader(other)
    assert asked == []
    with pytest.raises(EmbedderError, match="no exported embedding model"):
        bootstrap.build_index(other)
    assert asked == [("somebody/some-model", bootstrap.rooms(other).models)]


def test_drafting_merges_what_is_said_twice_and_bears_a_text_too_long_for_the_model(
    settings: Settings, tmp_path: Path
) -> None:
    long = "/".join("a" for _ in range(300))
    answer = f"A test tells when something breaks. Long is {long}. A TEST tells when something BREAKS!"
    document = tmp_path / "seed.md"
    document.write_text(f"# Tests\n\nText.\n\n## What is a test for?\n\n### Sample answer\n\n{answer}\n", "utf-8")
    (outcome,) = bootstrap.draft_rubrics(settings, [document]).outcomes
    rubric = bootstrap.rubric_store(settings).find(outcome.id)
    assert rubric
    texts = [point.text for point in rubric.points]
    assert [text for text in texts if "reaks" in text.lower()] == ["A test tells when something breaks."]
    assert any("a/a/a" in text for text in texts)


def test_rubrics_of_an_installed_package_are_not_written(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = Rooms("package", tmp_path / "seeds", tmp_path / "rubrics", tmp_path / "index")
    monkeypatch.setattr(bootstrap, "find_rooms", lambda _home: package)
    with pytest.raises(SettingsError, match="Set MARKSCHEME_HOME"):
        bootstrap.draft_rubrics(settings, [])
    assert not package.rubrics.exists()


def test_a_missing_index_is_told_to_the_log_only_as_information(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "markscheme"):
        bootstrap.grader(settings)
    assert [record.levelname for record in caplog.records] == ["INFO"]


def profile_of_another_verifier(settings: Settings) -> Path:
    """Save a profile that reads a verifier called `large`."""
    usual = read_calibration()
    coverage = Logistic(("supported",), (0.0,), (1.0,), (1.0,), 0.0)
    folder = ProfileFolder(bootstrap.rooms(settings).profiles, "large@0123456789ab")
    return folder.save(replace(usual, name="strict", coverage=coverage), "tests", replace=False)


def test_a_profile_of_another_verifier_is_refused_by_name_and_by_path(settings: Settings) -> None:
    path = profile_of_another_verifier(settings)
    for wanted in ("strict", path):
        chosen = settings.model_copy(update={"calibration": wanted})
        with pytest.raises(SettingsError, match="fitted with the verifier large, and scripted is in use"):
            bootstrap.calibration(chosen, ScriptedVerifier())
        with pytest.raises(SettingsError, match="MARKSCHEME_VERIFIER is off"):
            bootstrap.calibration(chosen, None)


def test_a_broken_profile_that_is_set_is_told_with_its_file(settings: Settings) -> None:
    path = profile_of_another_verifier(settings)
    path.write_text("{}", "utf-8")
    chosen = settings.model_copy(update={"calibration": "strict"})
    with pytest.raises(SettingsError, match=r"^MARKSCHEME_CALIBRATION: profile strict: .*strict\.json: .* read"):
        bootstrap.calibration(chosen, None)


def test_what_fits_is_there() -> None:
    start = np.zeros(1)
    assert bootstrap.fitter().lowest(lambda x: (float(x[0] ** 2), 2 * x), start, [None]) == pytest.approx(start)
