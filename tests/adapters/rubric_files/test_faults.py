import os
from collections.abc import Callable
from pathlib import Path

import pytest

from markscheme.adapters.rubric_files import RubricFiles
from markscheme.grading.errors import ContentError, Fault
from markscheme.grading.rubric import Rubric

GOOD = """\
id: locks/lease
topic: Locks
question: What ends a lease?
points:
  - id: p1
    text: Time ends it.
"""


def faults(store: RubricFiles, folder: Path, text: str | bytes, name: str = "locks/lease.yaml") -> list[Fault]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ContentError) as caught:
        store.load()
    return list(caught.value.faults)


def test_a_good_file_has_none(store: RubricFiles, folder: Path) -> None:
    (folder / "locks").mkdir(parents=True)
    (folder / "locks" / "lease.yaml").write_text("\ufeff" + GOOD, encoding="utf-8")
    assert store.load()[0].points[0].text == "Time ends it."


def test_every_fault_of_every_file_at_once_each_with_its_line(store: RubricFiles, folder: Path) -> None:
    one = """\
id: locks/leases
topic: Locks
colour: red
question: What ends a lease?
points:
  - id: p1
    text: yes
    weight: 0
    alternatives: [Time does, time  DOES]
  - id: p1
    text: Time ends it.
    heading:
      - Leases
    misconceptions:
      - time ends it.
    span: [4, 2]
  - {id: p2}
  - just words
"""
    faults(store, folder, "id: a\nid: b\n", "locks/other.yaml")
    found = faults(store, folder, one)
    assert [(Path(fault.file).name, fault.line) for fault in found] == [
        ("lease.yaml", 1),
        ("lease.yaml", 3),
        ("lease.yaml", 7),
        ("lease.yaml", 8),
        ("lease.yaml", 9),
        ("lease.yaml", 10),
        ("lease.yaml", 12),
        ("lease.yaml", 15),
        ("lease.yaml", 16),
        ("lease.yaml", 17),
        ("lease.yaml", 18),
        ("other.yaml", 2),
    ]
    messages = " | ".join(fault.message for fault in found)
    for part in (
        "calls for 'locks/lease'",
        "colour is no field here: remove it, or use one of id, topic,",
        "points[1].text must be text: put it in quotes",
        "points[1].weight: ",
        "repeats alternative 1",
        "'p1' is point 1's id too",
        "points[2].heading must be text",
        "points[2].misconceptions[1] is the same as the text",
        "ends at 2, not behind its start 4",
        "points[3].text is missing: add it",
        "points[4] must be a mapping",
        "'id' is given twice",
    ):
        assert part in messages


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("text: Time ends it.", "text: ''"), 6),
        (("text: Time ends it.", "text: '   '"), 6),
        (("text: Time ends it.", "text: " + "x" * 1001), 6),
        (("text: Time ends it.", "text: 12"), 6),
        (("  - id: p1\n", "  - weight: 1\n"), 5),
        (("text: Time ends it.", "text: x\n    weight: .inf"), 7),
        (("text: Time ends it.", "text: x\n    weight: .nan"), 7),
        (("text: Time ends it.", "text: x\n    weight: -1"), 7),
        (("text: Time ends it.", "text: x\n    weight: true"), 7),
        (("text: Time ends it.", "text: x\n    weight: '1'"), 7),
        (("text: Time ends it.", "text: x\n    importance: most"), 7),
        (("text: Time ends it.", "text: x\n    span: [1]"), 7),
        (("text: Time ends it.", "text: x\n    span: [-1, 2]"), 7),
        (("text: Time ends it.", "text: x\n    alternatives: [X]"), 7),
        (("text: Time ends it.", "text: x\n    alternatives: [y]\n    misconceptions: ['Y']"), 8),
        (("id: p1", "id: P 1"), 5),
        (("points:\n  - id: p1\n    text: Time ends it.\n", "points: []\n"), 4),
        (("points:\n  - id: p1\n    text: Time ends it.\n", "points: none\n"), 4),
        (("topic: Locks", "topic: Locks\ndifficulty: brutal"), 3),
        (("topic: Locks", "topic: Locks\nstatus: done"), 3),
        (("topic: Locks", "topic: Locks\nsource: {derived_from: hearsay}"), 3),
        (("topic: Locks", "topic: Locks\nsource: {checksum: zz}"), 3),
        (("topic: Locks", "topic: Locks\nsource: {origin: zz}"), 3),
        (("id: locks/lease", "id: [locks]"), 1),
        (("text: Time ends it.", "text: [half, written"), 7),
        (("text: Time ends it.", "text: 'half written"), 7),
        (("text: Time ends it.", "text: a: b"), 6),
        (("text: Time ends it.", "\ttext: x"), 6),
        (("topic: Locks", "topic: &a Locks\ntopics: *a"), 2),
        (("topic: Locks", "topic: L\u0007ocks"), 2),
        (("topic: Locks", "topic: !!python/object:os.system Locks"), 2),
        (("topic: Locks\n", "topic: Locks\n---\nmore: x\n"), 3),
        (("text: Time ends it.", "text: x\n    weight: !!bool x"), 7),
        (("text: Time ends it.", 'text: x\n    weight: !!int ""'), 7),
        (("text: Time ends it.", 'text: x\n    weight: !!float ""'), 7),
        (("text: Time ends it.", "text: x\n    weight: 1" + ":00" * 300 + ".0"), 7),
        (("text: Time ends it.", "text: x\n    heading: !!timestamp x"), 7),
        (("text: Time ends it.", "text: '→ ?!'"), 6),
        (("text: Time ends it.", 'text: "\\u3164"'), 6),
        (("text: Time ends it.", 'text: "Time\\0 ends it."'), 6),
        (("text: Time ends it.", "text: x\n    alternatives:\n      - y\n      - '...'"), 9),
        (("text: Time ends it.", 'text: x\n    alternatives: ["y\\0"]'), 7),
        (("text: Time ends it.", "text: x\n    misconceptions:\n      - '-'"), 8),
        (("text: Time ends it.", 'text: x\n    misconceptions: ["y\\0"]'), 7),
        (("text: Time ends it.", 'text: x\n    heading: "y\\0"'), 7),
        (("topic: Locks", 'topic: "L\\0"'), 2),
        (("question: What ends a lease?", 'question: "What\\0?"'), 3),
    ],
)
def test_one_fault_on_its_line(store: RubricFiles, folder: Path, change: tuple[str, str], line: int) -> None:
    assert change[0] in GOOD
    assert [fault.line for fault in faults(store, folder, GOOD.replace(*change))] == [line]


def test_two_hundred_points_are_the_most(store: RubricFiles, folder: Path) -> None:
    points = "".join(f"  - id: q{number}\n    text: Idea {number}.\n" for number in range(200))
    assert "points" in faults(store, folder, GOOD + points)[0].message
    (folder / "locks" / "lease.yaml").write_text(
        GOOD + points.replace("  - id: q0\n    text: Idea 0.\n", ""), encoding="utf-8"
    )
    assert len(store.load()[0].points) == 200


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file_is_a_fault(store: RubricFiles, folder: Path, text: str) -> None:
    assert "is empty" in faults(store, folder, text)[0].message


@pytest.mark.parametrize("text", ["just words", "- a\n- b", "3"])
def test_a_file_of_another_shape_is_a_fault(store: RubricFiles, folder: Path, text: str) -> None:
    assert "the file must be a mapping" in faults(store, folder, text)[0].message


def test_bytes_that_are_no_text(store: RubricFiles, folder: Path) -> None:
    assert faults(store, folder, b"id: a\ntopic: \xff\n")[0].line == 2


def test_deep_nesting_is_refused(store: RubricFiles, folder: Path) -> None:
    for text in ("a: " + "[" * 5000, "a: " + "[" * 5000 + "]" * 5000, "a: " + "9" * 5000):
        assert "no valid YAML" in faults(store, folder, text)[0].message


def test_a_date_is_text_like_any_other(store: RubricFiles, folder: Path) -> None:
    (folder / "locks").mkdir(parents=True)
    (folder / "locks" / "lease.yaml").write_text(GOOD.replace("Time ends it.", "2024-13-45"), encoding="utf-8")
    assert store.load()[0].points[0].text == "2024-13-45"


def test_another_ending_would_never_be_found(store: RubricFiles, folder: Path) -> None:
    assert "rename it" in faults(store, folder, GOOD, "locks/lease.yml")[0].message


def test_a_file_in_the_wrong_place(store: RubricFiles, folder: Path) -> None:
    assert "calls for 'lease'" in faults(store, folder, GOOD, "lease.yaml")[0].message


def test_find_tells_of_its_own_file_only(store: RubricFiles, folder: Path, rubric: Rubric) -> None:
    store.save(rubric)
    faults(store, folder, "id: 3\n")
    assert store.find(rubric.id) == rubric
    with pytest.raises(ContentError, match="id must be text"):
        store.find("locks/lease")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_regular_file_is_a_fault(store: RubricFiles, folder: Path, make: Callable[[Path], None]) -> None:
    (folder / "locks").mkdir(parents=True)
    make(folder / "locks" / "lease.yaml")
    with pytest.raises(ContentError, match=r"lease\.yaml: is no regular file"):
        store.load()
    with pytest.raises(ContentError, match="is no regular file"):
        store.find("locks/lease")


def test_a_link_to_nowhere_is_a_fault(store: RubricFiles, folder: Path) -> None:
    (folder / "locks").mkdir(parents=True)
    (folder / "locks" / "lease.yaml").symlink_to("nowhere.yaml")
    with pytest.raises(ContentError, match="cannot be read: No such file"):
        store.load()
