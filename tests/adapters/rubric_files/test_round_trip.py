import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from markscheme.adapters.rubric_files import RubricFiles
from markscheme.grading.errors import ContentError
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.text import normalise


def test_what_is_saved_is_what_loads(store: RubricFiles, folder: Path, rubric: Rubric) -> None:
    path = store.save(rubric)
    assert path == folder / "locks" / "what-ends-a-lease.yaml"
    assert store.find(rubric.id) == rubric
    assert store.load() == [rubric]


def test_a_small_rubric_needs_little(store: RubricFiles) -> None:
    small = Rubric("a/b", "What?", (Point("p1", "That."),), "A topic")
    path = store.save(small)
    assert yaml.safe_load(path.read_text()) == {
        "id": "a/b",
        "topic": "A topic",
        "question": "What?",
        "status": "draft",
        "source": {"derived_from": "author"},
        "points": [{"id": "p1", "text": "That.", "importance": "vital", "weight": 1}],
    }
    assert store.load() == [small]


def test_the_file_is_written_for_people(store: RubricFiles, rubric: Rubric) -> None:
    lines = store.save(rubric).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# yaml-language-server: $schema=../rubric.schema.json"
    keys = [line.partition(":")[0] for line in lines[1:] if line[:1].isalpha()]
    assert keys == ["id", "topic", "question", "difficulty", "status", "source", "points"]
    assert max(len(line) for line in lines) <= 115
    assert "    span: [3, 9]" in lines
    assert "  - id: p1" in lines


def test_rubrics_come_ordered_by_id(store: RubricFiles, rubric: Rubric) -> None:
    ids = ["b/a", "a/c", "a/b-b", "a/b"]
    for one in ids:
        store.save(replace(rubric, id=one))
    assert [one.id for one in store.load()] == sorted(ids)


def test_what_is_no_rubric_is_left_alone(store: RubricFiles, folder: Path, rubric: Rubric) -> None:
    store.save(rubric)
    for name in ("README.md", "rubric.schema.json", ".hidden.yaml", "locks/.draft.yaml", "locks/notes.txt"):
        (folder / name).write_text("id: {", encoding="utf-8")
    assert len(store.load()) == 1


def test_no_folder_holds_no_rubric(store: RubricFiles) -> None:
    assert store.load() == []
    assert store.find("a/b") is None


@pytest.mark.parametrize("bad", ["../../etc/passwd", "a", "a/b/c", "A/b", "a/b.yaml", "", "a/b\n", "/a/b"])
def test_an_id_never_leaves_the_folder(store: RubricFiles, rubric: Rubric, bad: str) -> None:
    assert store.find(bad) is None
    with pytest.raises(ContentError, match="cannot name a rubric"):
        store.save(replace(rubric, id=bad))


def test_what_would_not_load_is_not_written(store: RubricFiles, folder: Path, rubric: Rubric) -> None:
    store.save(rubric)
    with pytest.raises(ContentError, match=r"points\[1\]\.weight"):
        store.save(replace(rubric, points=(replace(rubric.points[0], weight=float("nan")),)))
    with pytest.raises(ContentError, match="points"):
        store.save(replace(rubric, points=()))
    assert store.load() == [rubric]
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["what-ends-a-lease.yaml"]


def test_a_check_tells_what_saving_would_and_writes_nothing(store: RubricFiles, folder: Path, rubric: Rubric) -> None:
    assert store.check(rubric) == []
    assert "cannot name a rubric" in store.check(replace(rubric, id="a"))[0].message
    bad = replace(rubric, points=())
    with pytest.raises(ContentError) as caught:
        store.save(bad)
    assert list(caught.value.faults) == store.check(bad) != []
    assert not folder.exists()


def test_a_failed_write_leaves_the_old_file(
    store: RubricFiles, folder: Path, rubric: Rubric, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.save(rubric)
    before = path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store.save(replace(rubric, topic="Another"))
    assert path.read_bytes() == before
    assert len(list(folder.rglob("*"))) == 2


def test_others_may_read_the_file(store: RubricFiles, rubric: Rubric) -> None:
    mask = os.umask(0o022)
    try:
        assert stat.S_IMODE(store.save(rubric).stat().st_mode) == 0o644
    finally:
        os.umask(mask)


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=90).filter(
    lambda one: one == one.strip() != ""
)
WORDING = TEXT.filter(lambda one: any(char.isalnum() for char in normalise(one).text))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(WORDING, TEXT, st.lists(WORDING, max_size=2, unique_by=lambda one: " ".join(one.split()).casefold()))
def test_any_wording_survives(store: RubricFiles, rubric: Rubric, text: str, topic: str, others: list[str]) -> None:
    folded = " ".join(text.split()).casefold()
    alternatives = tuple(one for one in others if " ".join(one.split()).casefold() != folded)
    points = (Point("p1", text, heading=topic, alternatives=alternatives), *rubric.points[1:])
    written = replace(rubric, topic=topic, question=f"{topic}\n{text}", points=points)
    store.save(written)
    assert store.find(rubric.id) == written
